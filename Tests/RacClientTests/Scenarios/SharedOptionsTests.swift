import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SharedOptionsTests {
    @Test("Two properties of one name in one client agree at once")
    func atOnce() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let (a, b) = (try p.property("N", as: Int.self), try p.property("N", as: Int.self))
            let heard = Recorder(b)
            a.send(1)
            expect(b.value == 1)
            b.send(2)
            #expect(a.value == 2 && heard.values == [1, 2])
            try await a.settled()
            expect(try await p.get("N").value == .integer(2))
        }
    }

    @Test("A reopened channel has a new property, also while the ended one is held")
    func reopened() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let ended = try p.property("N", as: Int.self)
            try await ended.write(1)
            try await p.finish("N")
            await #expect(throws: Never.self) { for try await _ in ended.signal.values {} }
            try await p.reopen("N")
            let again = try p.property("N", as: Int.self)
            expect(try await again.firstValue() == 1)
            try await again.write(2)
            expect(ended.value == 1)
        }
    }

    @Test("Readers of one name may have intervals of their own")
    func intervals() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let slow = try p.property("N", as: Int.self, interval: .seconds(3600))
            try await q.set("N", .integer(1))
            expect(try await slow.firstValue() == 1)
            let fast = try p.property("N", as: Int.self)
            // The binding is as fast as this one from here on.
            expect(try await fast.firstValue() == 1)
            for number in 2...9 {
                try await q.set("N", .integer(number))
                try await eventually { fast.value == number }
            }
            expect(slow.value == 1)
            fast.send(10)
            try await eventually { slow.value == 10 }
        }
    }

    @Test("A value that waits for the end of its interval comes before the channel's end")
    func intervalAndEnd() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let slow = try p.property("N", as: Int.self, interval: .seconds(3600))
            let ear = Ear(slow)
            try await q.set("N", .integer(1))
            expect(try await slow.firstValue() == 1)
            let fast = try p.property("N", as: Int.self)
            expect(try await fast.firstValue() == 1)
            let revision = try await q.set("N", .integer(2))
            try await eventually { fast.value == 2 }
            expect(ear.heard == ["1"])
            try await q.finish("N")
            try await eventually { ear.heard.last == "done" }
            expect(ear.heard == ["1", "2", "done"])
            expect(slow.current?.revision == revision)
        }
    }

    @Test("Properties of one client may have defaults and wills of their own, and no write is lost")
    func defaultAndWill() async throws {
        try await World.with(.unix) { world in
            let q = await world.program()
            let watcher = try q.property("N", as: Int.self)
            do {
                let p = Client(world.daemon.address, configuration: .quick)
                let first = try p.property("N", as: Int.self, will: .value(7))
                first.send(1)
                try await first.settled()
                let second = try p.property("N", as: Int.self, default: 5, will: .value(8))
                let text = try p.property(raw: "N", default: .integer(6))
                try await p.ping()
                try await p.ping()
                #expect(first.value == 1 && second.value == 1 && text.value == .integer(1))
                second.send(2)
                try await second.settled()
                await p.close()
            }
            try await eventually { watcher.value == 2 }
        }
    }

    @Test("Waiting writes survive a change of the options")
    func writes() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let first = try p.property("N", as: Int.self, interval: .seconds(1))
            try await first.write(0)
            for number in 1...50 {
                let other = try p.property(raw: "N", interval: .milliseconds(1000 - number))
                async let written = first.write(number)
                other.send(.integer(-number))
                let revision = try await written
                #expect(revision > .never)
                try await other.settled()
            }
            try await first.settled()
            expect(try await p.get("N").value?.text == first.value.map { "\($0)" })
        }
    }
}

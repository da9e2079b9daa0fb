import Expectations
import Foundation
import Observation
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemotePropertyTests {
    @Test(
        "A write is here at once, has no revision until it is acknowledged, and then has one",
        arguments: Transport.allCases
    )
    func writing(transport: Transport) async throws {
        try await World.with(transport) { world in
            let property = try await world.open(world.program(), "N", as: Int.self)
            #expect(property.value == nil && property.current == nil)
            property.send(1)
            expect(property.value == 1)
            try await property.settled()
            let revision = try #require(property.current?.revision)
            expect(property.current?.isLive == true)
            #expect(try await property.write(2, sync: true) > revision)
            expect(try await property.firstValue() == 2)
        }
    }

    @Test("Each of very many awaited writes at once is answered, be it with a refusal")
    func manyAwaited() async throws {
        try await World.with(.unix) { world in
            var configuration = ClientConfiguration.quick
            configuration.maximumWaitingSends = 4
            let p = Client(world.daemon.address, configuration: configuration)
            let property = try p.property("N", as: Int.self)
            await withTaskGroup { group in
                for number in 1...200 {
                    group.addTask {
                        do throws(ClientError) {
                            try await property.write(number)
                        } catch {
                            expect(error.code == .limit)
                        }
                    }
                }
            }
            try await property.settled()
            expect(try await p.get("N", as: Int.self) == property.value)
            await p.close()
        }
    }

    @Test("A change of a property without a value, or without a connection, fails in the time for an answer")
    func modifyInVain() async throws {
        try await World.with(.unix) { world in
            var configuration = ClientConfiguration.quick
            configuration.replyTimeout = .milliseconds(200)
            let p = Client(world.daemon.address, configuration: configuration)
            let (blank, other) = (try p.property("N", as: Int.self), try p.property("M", as: Int.self, default: 1))
            // The binds are answered in their order: the blank one has no value then, and not no connection.
            try await eventually { other.current?.revision != nil }
            let error = await #expect(throws: ClientError.self) { try await blank.modify { $0 += 1 } }
            #expect(error?.code == .timedOut && error?.message.contains("no value to change") == true)
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            other.value = 5
            let lost = await #expect(throws: ClientError.self) { try await other.modify { $0 += 1 } }
            #expect(lost?.code == .timedOut && lost?.message.contains("no connection") == true)
            let waiting = Task { try await blank.modify { $0 += 1 } }
            waiting.cancel()
            expect(await #expect(throws: ClientError.self) { try await waiting.value }?.code == .cancelled)
            await p.close()
        }
    }

    @Test("A change of a property whose only write was refused waits for the first value of another program")
    func modifyBehindRefusal() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("S", as: String.self)
            property.value = String(repeating: "x", count: 9 << 20)
            try await property.settled()
            let changed = Task { try await property.modify { $0 += "!" } }
            try await q.set("S", .string("a"))
            expect(try await changed.value == "a!")
            expect(try await q.get("S").value == .string("a!"))
        }
    }

    @Test("A change builds on the value that is shown where the daemon has lost it, or the channel was deleted")
    func modifyLost() async throws {
        try await World.with(.unix, keepsChannels: false) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("N", as: Int.self)
            try await q.set("N", .integer(5))
            expect(try await property.firstValue() == 5)
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            try await world.daemon.start()
            try await eventually { property.current?.isLive == true }
            expect(try await property.modify { $0 += 1 } == 6)
            expect(property.value == 6)
            expect(try await q.get("N").value == .integer(6))
        }
    }

    @Test("A ping is answered behind the writes before it, also behind those that wait for a connection")
    func fence() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let properties = try (0..<3).map { try p.property("N\($0)", as: Int.self) }
            let leading = try p.terminal("P", .leading, as: Int.self)
            try await p.ping()
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            for (index, property) in properties.enumerated() { property.value = index }
            for value in 0..<600 { leading.send(value) }
            async let ping: Void = p.ping()
            try await world.daemon.start()
            try await ping
            for index in 0..<3 { expect(try await q.get("N\(index)", as: Int.self) == index) }
            expect(try await q.get("P", as: Int.self) == 599)
            // A write that is refused is answered, too.
            try await q.finish("N0")
            properties[0].value = 9
            try await p.ping()
        }
    }

    @Test("Compare and set succeeds once for each revision, and shows what it has set", arguments: Transport.allCases)
    func compareAndSet(transport: Transport) async throws {
        try await World.with(transport) { world in
            let property = try await world.open(world.program(), "N", as: Int.self)
            let ear = Ear(property.terminal())
            let revision = try await property.compareAndSet(1, ifUnchangedSince: .never)
            try await world.settle()
            #expect(property.current?.value == 1 && property.current?.revision == revision)
            let error = await #expect(throws: ClientError.self) {
                try await property.compareAndSet(2, ifUnchangedSince: .never)
            }
            #expect(error?.code == .conflict && error?.revision == revision)
            expect(ear.heard == ["1"])
        }
    }

    @Test("A value of another type is an error, and the last good one stays", arguments: Transport.allCases)
    func badValue(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try await world.open(p, "N", as: Int.self)
            let errors = Log<String>()
            property.errors.onValue { errors.append($0.message) }
            try await q.set("N", .integer(1))
            try await world.settle()
            try await q.set("N", .string("loud"))
            try await world.settle()
            expect(property.value == 1)
            #expect(errors.entries.count == 1 && errors.entries[0].hasPrefix("a value is no Int: "))
            try await q.set("N", .integer(2))
            try await world.settle()
            expect(property.value == 2)
        }
    }

    @Test("A refused write is reported, and the property is what the channel has", arguments: Transport.allCases)
    func refusedWrite(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = await world.program()
            let property = try p.property(raw: "$sys/version")
            let version = try await property.firstValue()
            let errors = Log<ClientError.Code>()
            property.errors.onValue { errors.append($0.code) }
            let error = await #expect(throws: ClientError.self) { try await property.write(.integer(1)) }
            expect(error?.code == .forbidden)
            expect(errors.entries == [.forbidden])
            expect(property.value == version)
        }
    }

    @Test("Two properties of one client on one channel share a binding, whatever their types, and hear each other")
    func sharedBinding() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let (number, text) = (try await world.open(p, "N", as: Int.self), try p.property(raw: "N"))
            number.send(1)
            try await world.settle()
            expect(text.value == .integer(1))
            text.send(.integer(2))
            try await text.settled()
            try await world.settle()
            expect(number.value == 2)
            expect(try await p.list("N").map(\.bound) == [1])
        }
    }

    @Test("Defaults, intervals and wills reach the daemon", arguments: Transport.allCases)
    func options(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            let first = try p.property("N", as: Int.self, default: 5, interval: .milliseconds(1), will: .value(9))
            expect(try await first.firstValue() == 5)
            let again = try p.property("N", as: Int.self, default: 6)
            expect(try await again.firstValue() == 5)
            expect(try await q.get("N").value == .integer(5))
        }
    }

    @Test("While the daemon is away the value stays, the newest write waits, and others' news come with it")
    func away() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let n = try await world.open(p, "N", as: Int.self)
            let m = try await world.open(p, "M", as: Int.self)
            n.send(1)
            m.send(1)
            try await world.settle()
            let ear = Ear(n.terminal())
            try await world.daemon.stop()
            // The connection's loss is known a moment before the property's.
            try await eventually { n.current?.isLive == false }
            expect(n.value == 1)
            for number in 2...9 { m.send(number) }
            try await world.daemon.meanwhile { try await $0.set("N", .integer(7)) }
            try await world.daemon.start()
            try await world.settle()
            expect([n.value, m.value] == [7, 9])
            expect(try await q.get("M").value == .integer(9))
            expect(ear.heard == ["1", "7"])
            expect(n.current?.isLive == true)
        }
    }

    @Test("Observers of a value that comes with a connection see that there is one", arguments: Transport.allCases)
    func liveWithTheValue(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            try await q.set("N", .integer(1))
            try await p.until(\.isLive)
            let (n, m) = (try p.property("N", as: Int.self), try p.property("M", as: Int.self, default: 5))
            let heard = Log<String>()
            n.onValue { heard.append("\($0) \(n.current?.isLive == true)") }
            m.onValue { heard.append("\($0) \(m.current?.isLive == true)") }
            try await eventually { heard.entries.count == 2 }
            expect(Set(heard.entries) == ["1 true", "5 true"])
            try await m.settled()
            try await world.daemon.stop()
            try await eventually { n.current?.isLive == false && m.current?.isLive == false }
            try await world.daemon.meanwhile { try await $0.set("N", .integer(7)) }
            try await world.daemon.start()
            try await eventually { heard.entries.count == 3 }
            expect(heard.entries.last == "7 true")
        }
    }

    @Test("An end that comes while there is no connection is delivered when there is one again")
    func endMeanwhile() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let n = try await world.open(p, "N", as: Int.self)
            n.send(1)
            try await world.settle()
            let ear = Ear(n.terminal())
            try await world.daemon.stop()
            try await world.daemon.meanwhile { _ = try await $0.finish("N") }
            try await world.daemon.start()
            try await p.until(\.isLive)
            try await p.ping()
            expect(ear.heard == ["1", "done"])
            expect(await #expect(throws: ClientError.self) { try await n.write(2) }?.code == .terminated)
        }
    }

    @Test("Threads that write through many terminals while others write elsewhere all end with the daemon's value")
    func threads() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let properties = try await [
                world.open(p, "N", as: Int.self), world.open(p, "N", as: Int.self), world.open(q, "N", as: Int.self),
            ]
            let locals = properties.map { _ in Property(0) }
            for (local, property) in zip(locals, properties) { local <~> property }
            try await world.settle()
            for round in 0..<200 {
                await withTaskGroup { group in
                    for (index, property) in properties.enumerated() {
                        let (terminal, local) = (property.terminal(), locals[index])
                        group.addTask { for step in 0..<10 { terminal.send(round * 1000 + index * 100 + step) } }
                        group.addTask { for step in 0..<10 { local.value = round * 1000 + index * 100 + 50 + step } }
                        group.addTask { for step in 0..<10 { property.send(round * 1000 + index * 100 + 20 + step) } }
                    }
                }
                try await world.settle(rounds: 3)
                let value = try await p.get("N").value?.text
                let seen = properties.map(\.value) + locals.map(\.value)
                #expect(seen.allSatisfy { "\($0 ?? -1)" == value }, "round \(round): \(seen), \(value ?? "")")
            }
        }
    }

    @Test("A remote property that nobody uses any more is unbound, behind what was written")
    func letGo() async throws {
        try await World.with(.tcp) { world in
            let (p, q) = await (world.program(), world.program())
            do {
                let property = try p.property("N", as: Int.self)
                property.send(3)
            }
            while try await q.list("N").map(\.bound) != [0] { try await p.ping() }
            expect(try await q.get("N").value == .integer(3))
        }
    }

    @Test("Swift's observation reports an acknowledgement and a lost connection")
    func observingTheStanding() async throws {
        try await World.with(.tcp) { world in
            let client = await world.program()
            let property = try client.property("N", as: Int.self)
            try await property.write(1)
            let acknowledged = Property(false)
            property.value = 2
            withObservationTracking {
                if property.current?.revision != nil { acknowledged.value = true }
            } onChange: {
                acknowledged.value = true
            }
            for await isTold in acknowledged.values(keepingNewest: 1) where isTold { break }
            try await property.settled()
            let lost = property.noticedLoss()
            try await world.daemon.stop()
            for await isTold in lost.values(keepingNewest: 1) where isTold { break }
            expect(property.current?.isLive == false)
        }
    }

    @MainActor private final class Likes {
        private let property: RemoteProperty<Int>
        private(set) var changes = 0

        init(_ client: Client) throws {
            self.property = try client.property("likes", as: Int.self, default: 1)
        }

        func add() async throws -> Int {
            try await self.property.modify {
                $0 += 1
                self.changes += 1
            }
        }
    }

    @Test("The main actor changes a property, with what only it may touch")
    func modifyingOnTheMainActor() async throws {
        try await World.with(.tcp) { world in
            let client = await world.program()
            let likes = try await Likes(client)
            expect(try await likes.add() == 2)
            expect(await likes.changes == 1)
        }
    }

    @Test("A client that nobody holds leaves no connection behind, and what came from it says that it is closed")
    func deallocation() async throws {
        try await World.with(.tcp) { world in
            guard case .tcp(_, let port) = world.daemon.address else { return }
            let observer = await world.program()
            try await observer.ping()
            weak var gone: Client?
            let ear: Ear<Int>
            do {
                let client = Client(world.daemon.address, configuration: .quick)
                gone = client
                let property = try client.property("N", as: Int.self)
                ear = Ear(property.terminal())
                try await property.write(1)
                Property(5) <~> property
                let sockets = try Self.sockets(to: port)
                expect(sockets == 2)
            }
            #expect(gone == nil)
            while try Self.sockets(to: port) != 1 { try await observer.ping() }
            while try await observer.list("N").map(\.bound) != [0] {}
            expect(ear.heard.last?.hasPrefix("fail(closed: ") == true)
        }
    }

    /// The count of this process's sockets that are connected to a port of this machine, from the kernel's table.
    private static func sockets(to port: Int) throws -> Int {
        // The file has no length, so it is read until its end.
        let table = try #require(try FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readToEnd())
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
        let end = ":" + String(format: "%04X", port)
        return lines.count { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            return fields.count > 3 && fields[2].hasSuffix(end) && fields[3] == "01"
        }
    }
}

extension RemoteProperty where Value == Int {
    /// Becomes true when Swift's observation reports a change of `current`, which says now that there is a connection.
    func noticedLoss() -> Property<Bool> {
        let lost = Property(false)
        withObservationTracking {
            expect(self.current?.isLive == true)
        } onChange: {
            lost.value = true
        }
        return lost
    }
}

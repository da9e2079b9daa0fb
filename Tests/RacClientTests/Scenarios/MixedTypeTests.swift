import Expectations
import Rac
import RacClient
import RacTesting
import Testing

/// A channel that one program has as two types, or whose values are of an optional type.
@Suite(.timeLimit(.minutes(10))) struct MixedTypeTests {
    @Test("A property beside one of another type keeps its value, its revision and its problem")
    func twoTypes() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            let (number, text) = (try client.property("v", as: Int.self), try client.property("v", as: String.self))
            let written = try await number.write(5)
            try await text.write("text")
            try await client.ping()
            #expect(number.current?.value == 5 && number.current?.revision == written)
            #expect(number.problem.value?.code == .badValue && text.problem.value == nil)
            let refused = await #expect(throws: ClientError.self) { try await number.modify { $0 += 1 } }
            expect(refused?.code == .badValue)
            let conflict = await #expect(throws: ClientError.self) {
                try await number.compareAndSet(6, ifUnchangedSince: written)
            }
            expect(conflict?.code == .conflict)
            expect(try await client.get("v").value?.text == #""text""#)

            try await number.write(7)
            #expect(number.problem.value == nil && number.current?.value == 7)
            #expect(text.value == "text" && text.problem.value?.code == .badValue)
            expect(try await number.modify { $0 += 1 } == 8)
        }
    }

    @Test("A nil of an optional type is null, and a nil of another type is not sent")
    func null() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            let optional = try client.property("o", as: Int?.self)
            optional.value = 3
            optional.value = nil
            try await optional.settled()
            expect(try await client.get("o").value == .null)
            expect(optional.value == .some(.none))
            let plain = try client.property("p", as: Int.self)
            try await plain.write(3)
            plain.value = nil
            try await plain.settled()
            expect(try await client.get("p", as: Int.self) == 3)
        }
    }

    @Test("A local property that may have no value is bound to a channel, which never loses its value")
    func optionalBinding() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            let (local, remote) = (Property<Int?>(nil), try client.property("n", as: Int.self))
            local <~> remote
            try await remote.write(1)
            expect(local.value == 1)
            local.value = 2
            try await remote.settled()
            expect(try await client.get("n", as: Int.self) == 2)
            local.value = nil
            try await client.ping()
            expect(try await client.get("n", as: Int.self) == 2)

            let (first, published) = (Property<Int?>(3), try client.property("m", as: Int.self))
            published <~> first
            try await client.ping()
            expect(try await client.get("m", as: Int.self) == 3)
        }
    }

    @Test("A channel that ends with its owner lives again with the next owner")
    func publishAgain() async throws {
        try await World.with(.unix) { world in
            let (client, other) = await (world.program(), world.program())
            for run in 1...3 {
                var local: Property<Int>? = Property(run * 10)
                if let local { try client.publish(local, as: "n", endsWithOwner: true) }
                try await client.ping()
                expect(try await other.get("n", as: Int.self) == run * 10)
                #expect(try await other.get("n").state == .open && local?.value == run * 10)
                local = nil
                try await client.ping()
                expect(try await other.get("n").state == .completed)
            }
            // A channel that somebody has ended stays so for a property that is merely published.
            let local = Property(1)
            try client.publish(local, as: "n")
            try await eventually { local.value == 30 }
            expect(try await other.get("n").state == .completed)
        }
    }
}

import Expectations
import Rac
import RacClient
import Synchronization
import Testing

/// Counts how often one is encoded.
private struct Counted: Codable, Equatable, Sendable {
    static let encodings = Atomic(0)

    var number: Int

    init(number: Int) {
        self.number = number
    }

    func encode(to encoder: any Encoder) throws {
        Self.encodings.add(1, ordering: .relaxed)
        var container = encoder.singleValueContainer()
        try container.encode(self.number)
    }

    init(from decoder: any Decoder) throws {
        self.number = try decoder.singleValueContainer().decode(Int.self)
    }
}

/// Serialized, since the tests share the count of ``Counted``.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EncodingCountTests {
    @Test("A structure that is sent, written or carried by a binding is encoded once")
    func once() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let property = try await world.open(p, "N", as: Counted.self)
            let local = Property(Counted(number: 0))
            try await property.write(Counted(number: 1))
            local <~> property
            try await eventually { local.value.number == 1 }
            let before = Counted.encodings.load(ordering: .relaxed)
            for number in 2...10 {
                switch number % 4 {
                case 0: property.send(Counted(number: number))
                case 1: local.value = Counted(number: number)
                case 2: property.terminal().send(Counted(number: number))
                default: try await property.write(Counted(number: number))
                }
                try await property.settled()
            }
            expect(Counted.encodings.load(ordering: .relaxed) == before + 9)
            expect(try await p.get("N", as: Counted.self) == Counted(number: 10))
        }
    }
}

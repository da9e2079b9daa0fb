import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnwritableValueTests {
    private struct Reading: Codable, Equatable, Sendable {
        var level: Double
    }

    @Test(
        "A value without a JSON form is refused, and the property keeps its value",
        arguments: [Double.nan, .infinity]
    )
    func refused(value: Double) async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let property = try await world.open(p, "N", as: Double.self)
            let errors = Log<ClientError.Code>()
            property.errors.onValue { errors.append($0.code) }
            property.send(value)
            expect(property.value == nil)
            try await property.write(1)
            property.terminal().send(value)
            expect(await #expect(throws: ClientError.self) { try await property.write(value) }?.code == .badValue)
            try await world.settle()
            expect(property.value == 1)
            expect(errors.entries == [.badValue, .badValue, .badValue])
            expect(try await p.get("N").value == (try JSONText("1")))
        }
    }

    @Test("A value that is too long for a frame is refused alone, and the property shows the channel's value")
    func tooLong() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let property = try await world.open(p, "S", as: String.self)
            try await property.write("short")
            let long = String(repeating: "x", count: 9 << 20)
            let error = await #expect(throws: ClientError.self) { try await property.write(long) }
            expect(error?.code == .tooLarge)
            try await world.settle()
            expect(property.value == "short")
            try await property.write("still there")
        }
    }

    @Test("A refused value takes no earlier write with it, also in a struct")
    func earlierWrite() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let number = try await world.open(p, "N", as: Double.self)
            let reading = try await world.open(p, "R", as: Reading.self)
            number.send(7)
            number.send(.infinity)
            reading.send(Reading(level: 7))
            reading.send(Reading(level: .infinity))
            try await world.settle()
            #expect(number.value == 7 && reading.value == Reading(level: 7))
            expect(try await p.get("N").value == (try JSONText("7")))
            expect(try await p.get("R").value == (try JSONText("{\"level\":7}")))
        }
    }

    @Test("A bound local property that has such a value gets the channel's value back")
    func binding() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let remote = try await world.open(p, "N", as: Double.self)
            try await remote.write(1)
            let local = Property(0.0)
            local <~> remote
            try await eventually { local.value == 1 }
            local.value = .nan
            try await eventually { local.value == 1 }
            expect(remote.value == 1)
            local.value = 2
            try await world.settle()
            expect(try await p.get("N").value == (try JSONText("2")))
            expect(local.value == 2)
        }
    }
}

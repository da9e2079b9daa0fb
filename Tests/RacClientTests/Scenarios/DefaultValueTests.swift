import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct DefaultValueTests {
    private struct Profile: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    private static let ada = Profile(name: "Ada", age: 36)

    @Test("A default is the value at once, and is delivered once when the channel takes it")
    func atOnce() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("N", as: Int.self, default: 5)
            expect(property.value == 5)
            let alone = Client(.unix(path: "/dev/null/none"), configuration: .quick)
            let untaken = try alone.property("N", as: Int.self, default: 5)
            #expect(untaken.value == 5 && untaken.current?.revision == nil)
            await alone.close()
            let ear = Ear(property)
            expect(try await property.firstValue() == 5)
            #expect(property.current?.revision != nil)
            expect(try await q.get("N", as: Int.self) == 5)
            expect(try await property.modify { $0 += 1 } == 6)
            expect(ear.heard == ["5", "6"])
        }
    }

    @Test("A default gives way to the channel's value, and `firstValue` waits for that")
    func givesWay() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            try await q.set("N", 7)
            let (property, local) = (try p.property("N", as: Int.self, default: 5), Property(0))
            local <~> property
            expect(try await property.firstValue() == 7)
            try await eventually { local.value == 7 }
            expect(try await q.get("N", as: Int.self) == 7)
        }
    }

    @Test(
        "A daemon that has lost the channel gets the newest value again, from its writer or a reader, and no default",
        arguments: ["writer", "reader", "both"]
    )
    func lost(comesBack: String) async throws {
        try await World.with(.unix, keepsChannels: false) { world in
            let (writer, reader) = await (world.program(), world.program())
            let written = try writer.property("N", as: Int.self, default: 5)
            let read = try reader.property("N", as: Int.self, default: 5)
            for property in [written, read] { expect(try await property.firstValue() == 5) }
            try await written.write(7, sync: true)
            try await eventually { read.value == 7 }
            if comesBack == "reader" { await writer.close() }
            if comesBack == "writer" { await reader.close() }
            try await world.daemon.stop()
            for client in [writer, reader] { try await eventually { !client.connection.value.isLive } }
            try await world.daemon.start()
            let late = await world.program()
            try await eventually { (try? await late.get("N"))?.value?.text == "7" }
            let other = try late.property("N", as: Int.self, default: 6)
            expect(try await other.firstValue() == 7)
            #expect(comesBack == "reader" || written.value == 7)
            #expect(comesBack == "writer" || read.value == 7)
        }
    }

    @Test("A default that nobody has edited is the value of a channel that the daemon has lost")
    func lostDefault() async throws {
        try await World.with(.unix, keepsChannels: false) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("N", as: Int.self, default: 5)
            expect(try await property.firstValue() == 5)
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            try await world.daemon.start()
            try await eventually { (try? await q.get("N"))?.value?.text == "5" }
            try await eventually { property.current?.revision != nil && property.current?.isLive == true }
            expect(try await property.modify { $0 += 1 } == 6)
        }
    }

    @Test("An edit made before the daemon's answer goes out with the connection", arguments: [false, true])
    func edited(isKnown: Bool) async throws {
        try await World.with(.unix) { world in
            if isKnown { try await world.program().set("profile", Profile(name: "Bob", age: 50)) }
            try await world.daemon.stop()
            let p = await world.program()
            let (name, text) = (Property(""), Property(""))
            let profile = try p.property("profile", as: Profile.self, default: Self.ada)
            name.terminal() <~> profile.terminal(\.name)
            text.terminal() <~> profile.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
            #expect(name.value == "Ada" && text.value == "36")
            text.value = "37"
            expect(profile.value == Profile(name: "Ada", age: 37))
            try await world.daemon.start()
            try await p.until(\.isLive)
            try await profile.settled()
            expect(try await p.get("profile", as: Profile.self) == Profile(name: "Ada", age: 37))
            #expect(profile.value == Profile(name: "Ada", age: 37) && name.value == "Ada" && text.value == "37")
        }
    }

    @Test("A default of a channel with a value of another type is not the first value")
    func otherType() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            try await p.set("N", "abc")
            let property = try p.property("N", as: Int.self, default: 5)
            let error = await #expect(throws: ClientError.self) { try await property.firstValue() }
            #expect(error?.code == .badValue && property.problem.value?.code == .badValue)
        }
    }
}

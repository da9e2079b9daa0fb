import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteFieldTests {
    private struct Profile: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    private struct Reading: Codable, Equatable, Sendable {
        var level: Double
        var room: String
    }

    @Test("Two programs edit two fields of one channel, and neither overwrites the other's")
    func fields() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let here = try await world.open(p, "profile", as: Profile.self)
            let there = try await world.open(q, "profile", as: Profile.self)
            let (name, age, text) = (Property(""), Property(0), Property(""))
            name.terminal() <~> here.terminal(\.name)
            age.terminal() <~> there.terminal(\.age)
            text.terminal() <~> here.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
            try await here.write(Profile(name: "Ada", age: 36))
            try await eventually { age.value == 36 }
            #expect(name.value == "Ada" && text.value == "36")
            name.value = "Grace"
            try await world.settle()
            age.value = 37
            try await world.settle()
            try await eventually { text.value == "37" }
            expect(here.value == Profile(name: "Grace", age: 37))
            expect(try await q.get("profile", as: Profile.self) == Profile(name: "Grace", age: 37))
            text.value = "37?"
            try await world.settle()
            expect(there.value?.age == 37)
        }
    }

    @Test("A field of a property without a value is not sent, and gets the first value")
    func withoutValue() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let profile = try await world.open(p, "profile", as: Profile.self)
            let field = profile.terminal(\.name)
            field.send("early")
            try await world.settle()
            expect(profile.value == nil)
            try await q.set("profile", Profile(name: "Ada", age: 36))
            let name = Property("")
            name.terminal() <~> field
            try await eventually { name.value == "Ada" }
            try await q.finish("profile")
            expect(try await Ear(field).end() == "done")
        }
    }

    @Test("A field without a JSON form is refused, and its sender gets the channel's back")
    func unwritable() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let reading = try await world.open(p, "reading", as: Reading.self)
            let (errors, level) = (Log<ClientError.Code>(), Property(0.0))
            reading.errors.onValue { errors.append($0.code) }
            try await reading.write(Reading(level: 1, room: "hall"))
            level.terminal() <~> reading.terminal(\.level)
            try await eventually { level.value == 1 }
            reading.send(Reading(level: 2, room: "attic"))
            level.value = .nan
            try await eventually { level.value == 2 }
            try await world.settle()
            expect(errors.entries == [.badValue])
            expect(reading.value == Reading(level: 2, room: "attic"))
            expect(try await p.get("reading", as: Reading.self) == Reading(level: 2, room: "attic"))
            level.value = 3
            try await world.settle()
            expect(try await p.get("reading", as: Reading.self) == Reading(level: 3, room: "attic"))
        }
    }
}

extension Ear {
    /// The last event, once it is an end.
    fileprivate func end() async throws -> String {
        try await eventually { self.heard.last.map { $0 == "done" || $0.hasPrefix("fail") } ?? false }
        return self.heard.last ?? ""
    }
}

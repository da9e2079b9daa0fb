import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct EndedPropertyTests {
    private struct Profile: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    enum ChannelEnding: CaseIterable, Sendable {
        case completed
        case failed

        var ending: Ending<ClientError> {
            switch self {
            case .completed: .completed
            case .failed: .failed(ClientError("over", "for a test"))
            }
        }
    }

    /// Runs a test with a property of 5 whose channel has ended.
    private func withEnded(
        _ ending: ChannelEnding,
        _ test: (Client, RemoteProperty<Int>, Log<ClientError.Code>) async throws -> Void
    ) async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("N", as: Int.self)
            try await property.write(5)
            let (ear, errors) = (Ear(property), Log<ClientError.Code>())
            property.errors.onValue { errors.append($0.code) }
            try await q.finish("N", with: ending.ending)
            try await eventually { ear.hasEnded }
            try await test(p, property, errors)
        }
    }

    @Test(
        "Each way to set an ended property is refused as `write` is, and the property keeps its value",
        arguments: ChannelEnding.allCases
    )
    func refused(ending: ChannelEnding) async throws {
        try await self.withEnded(ending) { _, property, errors in
            property.value = 7
            expect(property.value == 5)
            expect(property.problem.value?.code == .terminated)
            property.send(8)
            property.terminal().send(9)
            property <~ Signal(values: [10, 11])
            expect(errors.entries == Array(repeating: .terminated, count: 5))
            let thrown = await #expect(throws: ClientError.self) { try await property.write(12) }
            expect(thrown?.code == .terminated)
            expect(property.problem.value?.message == thrown?.message)
            expect(
                await #expect(throws: ClientError.self) { try await property.modify { $0 += 1 } }?.code == .terminated
            )
            let again = await #expect(throws: ClientError.self) {
                try await property.compareAndSet(13, ifUnchangedSince: property.current?.revision ?? .never)
            }
            expect(again?.code == .terminated)
            expect(errors.entries == Array(repeating: .terminated, count: 8))
            expect(property.value == 5)
        }
    }

    @Test(
        "A bound property goes back to the value of the ended channel, before and behind its end",
        arguments: ChannelEnding.allCases
    )
    func bound(ending: ChannelEnding) async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let profile = try p.property("profile", as: Profile.self)
            try await profile.write(Profile(name: "Ada", age: 36))
            let (whole, text) = (Property(Profile(name: "", age: 0)), Property(""))
            let name = ValidatingProperty("") { $0.isEmpty ? "a name is missing" : nil }
            let published = Property(Profile(name: "Ada", age: 36))
            whole <~> profile
            profile <~> published
            name.terminal() <~> profile.terminal(\.name)
            text.terminal() <~> profile.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
            try await eventually { text.value == "36" && name.value == "Ada" && whole.value.age == 36 }
            try await profile.settled()
            let (ear, errors) = (Ear(profile), Log<ClientError.Code>())
            profile.errors.onValue { errors.append($0.code) }
            try await q.finish("profile", with: ending.ending)
            try await eventually { ear.hasEnded }
            for _ in 0..<2 {
                whole.value.age = 40
                expect(whole.value.age == 36)
                published.value.age = 41
                expect(published.value.age == 36)
                name.edit.value = "Grace"
                #expect(name.value == "Ada" && name.edit.value == "Ada")
                text.value = "37"
                expect(text.value == "36")
            }
            expect(errors.entries == Array(repeating: .terminated, count: 8))
            expect(profile.value == Profile(name: "Ada", age: 36))
        }
    }

    @Test("A property that is bound to another channel is not held by one that has ended")
    func boundAgain() async throws {
        try await self.withEnded(.completed) { p, ended, errors in
            let (local, other) = (Property(0), try p.property("M", as: Int.self))
            try await other.write(1)
            local <~> ended
            try await eventually { local.value == 5 }
            local <~> other
            try await eventually { local.value == 1 }
            local.value = 2
            try await other.settled()
            #expect(local.value == 2 && other.value == 2 && errors.entries.isEmpty)
            expect(try await p.get("M", as: Int.self) == 2)
        }
    }

    @Test("A property between two channels follows the one that lives")
    func between() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let (a, b) = try (p.property("A", as: Int.self), p.property("B", as: Int.self))
            try await a.write(5)
            try await b.write(5)
            let local = Property(0)
            local <~> a
            local <~> b
            try await eventually { local.value == 5 }
            // The value of B is a write to A.
            try await a.settled()
            let ear = Ear(a)
            try await q.finish("A")
            try await eventually { ear.hasEnded }
            try await q.set("B", 6)
            try await eventually { local.value == 6 }
            local.value = 7
            try await b.settled()
            #expect(local.value == 7 && b.value == 7 && a.problem.value == nil)
        }
    }

    @Test("Two properties of ended channels that are bound to each other come to rest")
    func ring() async throws {
        try await self.withEnded(.completed) { p, ended, errors in
            let other = try p.property("M", as: Int.self)
            try await other.write(9)
            let ear = Ear(other)
            try await p.finish("M")
            try await eventually { ear.hasEnded }
            let (here, there) = (Property(0), Property(0))
            here <~> ended
            there <~> other
            here <~> there
            here.value = 1
            expect(here.value == there.value)
            #expect(!errors.entries.isEmpty)
        }
    }

    @Test(
        "A value that is set while the channel ends is refused, and the property shows the daemon's",
        arguments: [true, false]
    )
    func race(isOwn: Bool) async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            for round in 0..<60 {
                let property = try p.property("N\(round)", as: Int.self)
                try await property.write(5)
                let (ear, local) = (Ear(property), Property(0))
                local <~> property
                try await eventually { local.value == 5 }
                async let finished = (isOwn ? p : q).finish("N\(round)")
                for step in 0..<(round * 4) {
                    if round.isMultiple(of: 2) { property.value = 6 + step } else { local.value = 6 + step }
                    if step.isMultiple(of: 8) { await Task.yield() }
                }
                _ = try await finished
                try await eventually { ear.hasEnded }
                let value = try await p.get("N\(round)").value?.text
                #expect(property.value.map { "\($0)" } == value && "\(local.value)" == value, "round \(round)")
                property.value = -1
                #expect(property.problem.value?.code == .terminated && property.value.map { "\($0)" } == value)
            }
        }
    }

    /// A remote property with the value 5, and a local one that is bound to it.
    private static func bound(_ client: Client) async throws -> (RemoteProperty<Int>, Property<Int>) {
        let (property, local) = (try client.property("N", as: Int.self), Property(0))
        try await property.write(5)
        local <~> property
        try await eventually { local.value == 5 }
        return (property, local)
    }

    @Test("An edit that waits for a connection is refused by a channel that has ended meanwhile")
    func offline() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let (property, local) = try await Self.bound(p)
            let ear = Ear(property)
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            local.value = 7
            try await world.daemon.meanwhile { _ = try await $0.finish("N") }
            try await world.daemon.start()
            try await eventually { ear.hasEnded }
            #expect(property.value == 5 && local.value == 5)
            expect(property.problem.value?.code == .terminated)
        }
    }

    @Test(
        "An edit goes back where the channel ends without ever having had a value",
        arguments: ChannelEnding.allCases
    )
    func blank(ending: ChannelEnding) async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let (n, m) = (try p.property("N", as: Int.self), try p.property("profile", as: Profile.self))
            let (local, name, published) = (Property(3), Property("nobody"), Property(5))
            local <~> n
            name.terminal() <~> m.terminal(\.name)
            try await p.ping()
            let (ear, other) = (Ear(n), Ear(m))
            try await world.daemon.stop()
            try await p.until { !$0.isLive }
            local.value = 7
            name.value = "Ada"
            try await world.daemon.meanwhile { q in
                for channel in ["N", "profile"] {
                    try await q.create(channel)
                    try await q.finish(channel, with: ending.ending)
                }
            }
            try await world.daemon.start()
            try await eventually { ear.hasEnded && other.hasEnded }
            #expect(n.value == nil && n.problem.value?.code == .terminated)
            try await eventually { local.value == 3 && name.value == "nobody" }
            local.value = 8
            name.value = "Grace"
            #expect(local.value == 3 && name.value == "nobody" && m.problem.value?.code == .terminated)
            try p.property("N", as: Int.self) <~> published
            try await eventually { published.value == 5 }
            published.value = 6
            try await eventually { published.value == 5 }
        }
    }

    @Test("A property between two channels that never had a value comes to rest")
    func blankRing() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let both = try ["A", "B"].map { try p.property($0, as: Int.self) }
            let ears = both.map { Ear($0) }
            let (here, there) = (Property(1), Property(2))
            here <~> both[0]
            there <~> both[1]
            try await p.ping()
            for channel in ["A", "B"] { try await q.finish(channel) }
            try await eventually { ears.allSatisfy(\.hasEnded) }
            here <~> there
            here.value = 3
            expect(here.value == there.value)
        }
    }

    @Test("An ended property shows whether there is a connection", arguments: ChannelEnding.allCases)
    func connection(ending: ChannelEnding) async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try p.property("N", as: Int.self)
            try await property.write(5)
            let seen = Log<Bool>()
            property.observe(value: { _ in }, end: { _ in seen.append(property.current?.isLive == true) })
            try await q.finish("N", with: ending.ending)
            try await eventually { !seen.entries.isEmpty }
            #expect(seen.entries == [true] && property.current?.isLive == true)
            let lost = property.noticedLoss()
            try await world.daemon.stop()
            try await eventually { lost.value && property.current?.isLive == false }
            try await world.daemon.start()
            try await eventually { property.current?.isLive == true }
            await p.close()
            #expect(property.current?.isLive == false && property.value == 5)
        }
    }

    @Test("A value that is set to a property of a closed client is reported, and a property that was bound is free")
    func closed() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let (property, local) = try await Self.bound(p)
            await p.close()
            property.value = 7
            #expect(property.value == 5 && property.problem.value?.code == .closed)
            local.value = 8
            expect(local.value == 8)
        }
    }

    @Test("A side of a paired channel that has ended reports what it is sent")
    func paired() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let side = try p.terminal("P", .leading, as: Int.self)
            let ear = Ear(side)
            try await side.write(1)
            try await p.finish("P")
            try await eventually { ear.hasEnded }
            side.send(2)
            try await eventually { side.problem.value?.code == .terminated }
            let thrown = await #expect(throws: ClientError.self) { try await side.write(3) }
            expect(thrown?.message == side.problem.value?.message)
        }
    }
}

extension Ear {
    /// Whether the last event is an end.
    fileprivate var hasEnded: Bool { self.heard.last.map { $0 == "done" || $0.hasPrefix("fail") } ?? false }
}

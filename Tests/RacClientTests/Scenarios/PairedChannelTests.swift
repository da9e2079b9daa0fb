import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct PairedChannelTests {
    @Test("C309 Two processes, both directions, no echo", arguments: Transport.allCases)
    func bothDirections(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let (atP, atQ) = (Ear(p), Ear(q))
            try await world.settle()
            p.send(1)
            try await world.settle()
            q.send(2)
            try await world.settle()
            expect(atP.heard == ["2"])
            expect(atQ.heard == ["1"])
        }
    }

    @Test("C310 A follower that attaches late gets the latest value, then the rest", arguments: Transport.allCases)
    func lateFollower(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            p.send(1)
            p.send(2)
            try await world.settle()
            let q = try await world.attach(world.program(), "N", .following)
            let atQ = Ear(q)
            try await world.settle()
            p.send(3)
            try await world.settle()
            expect(atQ.heard == ["2", "3"])
        }
    }

    @Test("A follower that joins another one of its program gets the latest value, then the rest")
    func followerThatJoins() async throws {
        try await World.with(.unix) { world in
            let (p, follower) = await (try world.attach(world.program(), "N", .leading), world.program())
            let q = try await world.attach(follower, "N", .following)
            p.send(1)
            try await world.settle()
            let r = try await world.attach(follower, "N", .following)
            let (atQ, atR) = (Ear(q), Ear(r))
            try await world.settle()
            p.send(2)
            try await world.settle()
            expect(atQ.heard == ["1", "2"])
            expect(atR.heard == ["1", "2"])
        }
    }

    @Test("C311 A leader that attaches late gets nothing old", arguments: Transport.allCases)
    func lateLeader(transport: Transport) async throws {
        try await World.with(transport) { world in
            let q = try await world.attach(world.program(), "N", .following)
            q.send(1)
            try await world.settle()
            let p = try await world.attach(world.program(), "N", .leading)
            let atP = Ear(p)
            try await world.settle()
            q.send(2)
            try await world.settle()
            expect(atP.heard == ["2"])
        }
    }

    @Test("C312 Several followers on a plain channel hear the leader, not each other", arguments: Transport.allCases)
    func followers(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let r = try await world.attach(world.program(), "N", .following)
            let (atP, atQ, atR) = (Ear(p), Ear(q), Ear(r))
            try await world.settle()
            p.send(1)
            try await world.settle()
            q.send(2)
            try await world.settle()
            expect([atP.heard, atQ.heard, atR.heard] == [["2"], ["1"], ["1"]])
        }
    }

    @Test("C313 Two leaders: both hear the follower, neither hears the other", arguments: Transport.allCases)
    func leaders(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .leading)
            let r = try await world.attach(world.program(), "N", .following)
            let (atP, atQ, atR) = (Ear(p), Ear(q), Ear(r))
            try await world.settle()
            p.send(1)
            try await world.settle()
            r.send(2)
            try await world.settle()
            expect([atP.heard, atQ.heard, atR.heard] == [["2"], ["2"], ["1"]])
        }
    }

    @Test("C314 Both ends in one process", arguments: Transport.allCases)
    func oneProcess(transport: Transport) async throws {
        try await World.with(transport) { world in
            let program = await world.program()
            let leading = try await world.attach(program, "N", .leading)
            let following = try await world.attach(program, "N", .following)
            let (atLeading, atFollowing) = (Ear(leading), Ear(following))
            try await world.settle()
            leading.send(1)
            try await world.settle()
            following.send(2)
            try await world.settle()
            expect(atLeading.heard == ["2"])
            expect(atFollowing.heard == ["1"])
        }
    }

    @Test("C315 Names are separate", arguments: Transport.allCases)
    func names(transport: Transport) async throws {
        try await World.with(transport) { world in
            let program = await world.program()
            let n = try await world.attach(program, "N", .leading)
            let m = try await world.attach(program, "M", .leading)
            let q = try await world.attach(world.program(), "M", .following)
            let atQ = Ear(q)
            try await world.settle()
            n.send(1)
            m.send(2)
            try await world.settle()
            expect(atQ.heard == ["2"])
        }
    }

    @Test("C316 A burst arrives whole and in order", arguments: Transport.allCases)
    func burst(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let atQ = Ear(q)
            try await world.settle()
            for number in 0..<1000 { p.send(number) }
            try await world.settle()
            expect(atQ.heard == (0..<1000).map(String.init))
        }
    }

    @Test("C317, C318 Completion by either side reaches everyone once", arguments: Transport.allCases, Role.both)
    func completion(transport: Transport, role: Role) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let r = try await world.attach(world.program(), "N", .following)
            let (atP, atQ, atR) = (Ear(p), Ear(q), Ear(r))
            try await world.settle()
            (role == .leading ? p : q).complete()
            try await world.settle()
            expect([atP.heard, atQ.heard, atR.heard] == [["done"], ["done"], ["done"]])
        }
    }

    @Test("C319 Failure by a follower reaches everyone once, with its code and message", arguments: Transport.allCases)
    func failure(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let r = try await world.attach(world.program(), "N", .following)
            let (atP, atQ, atR) = (Ear(p), Ear(q), Ear(r))
            try await world.settle()
            q.fail(ClientError(ClientError.Code(rawValue: "42"), "E42"))
            try await world.settle()
            expect([atP.heard, atQ.heard, atR.heard] == [["fail(42: E42)"], ["fail(42: E42)"], ["fail(42: E42)"]])
        }
    }

    @Test("An end that was received ends another channel in the same way; a closed client ends none")
    func passedOn() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let (first, second) = (try p.property("first", as: Int.self), try p.property("second", as: Int.self))
            let third = try await world.attach(p, "third", .leading)
            first.observe(value: { second.send($0) }, end: { second.end($0) })
            second.observe(value: { third.send($0) }, end: { third.end($0) })
            let state = ChannelState.failed(WireError(code: "no-paper", message: "the tray is empty"))
            let ending = Ending.failed(ClientError("no-paper", "the tray is empty"))
            try await q.set("first", 1)
            try await q.finish("first", with: ending)
            try await eventually { await (try? q.get("third").state) == state }
            expect(try await q.get("second").state == state)

            try await q.create("fourth")
            let isClosed = Ending.failed(ClientError(.closed, "for a test"))
            let refused = await #expect(throws: ClientError.self) { try await q.finish("fourth", with: isClosed) }
            expect(refused?.code == .closed)
            let fourth = try await world.open(p, "fourth", as: Int.self)
            fourth.end(isClosed)
            try await fourth.write(4)
            expect(try await q.get("fourth").state == .open)
        }
    }

    @Test("Without a connection the oldest sends are kept up to the limit, and later ones are refused")
    func waitingSends() async throws {
        try await World.with(.unix) { world in
            var configuration = ClientConfiguration.quick
            configuration.maximumWaitingSends = 8
            let p = Client(world.daemon.address, configuration: configuration)
            let terminal = try p.terminal("N", .leading, as: Int.self)
            let errors = Log<ClientError.Code>()
            terminal.errors.onValue { errors.append($0.code) }
            try await terminal.write(-1)
            try await world.daemon.stop()
            try await eventually { !p.connection.value.isLive }
            for number in 0..<20 { terminal.send(number) }
            try await world.daemon.start()
            try await terminal.settled()
            expect(errors.entries == Array(repeating: .limit, count: 12))
            expect(try await p.get("N", as: Int.self) == 7)
            await p.close()
        }
    }

    @Test(
        "C320 After completion a new follower gets the last value and the end, a new leader the end",
        arguments: Transport.allCases
    )
    func afterCompletion(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            p.send(1)
            p.complete()
            try await world.settle()
            let q = try await world.attach(world.program(), "N", .following)
            let r = try await world.attach(world.program(), "N", .leading)
            let (atQ, atR) = (Ear(q), Ear(r))
            try await world.settle()
            expect(atQ.heard == ["1", "done"])
            expect(atR.heard == ["done"])
        }
    }

    @Test("C324 Disposing one subscription", arguments: Transport.allCases)
    func disposal(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.attach(world.program(), "N", .leading)
            let q = try await world.attach(world.program(), "N", .following)
            let r = try await world.attach(world.program(), "N", .following)
            let (atQ, atR) = (Ear(q), Ear(r))
            try await world.settle()
            p.send(1)
            try await world.settle()
            atQ.dispose()
            p.send(2)
            try await world.settle()
            let atP = Ear(p)
            q.send(3)
            try await world.settle()
            expect([atP.heard, atQ.heard, atR.heard] == [["3"], ["1"], ["1", "2"]])
        }
    }

    @Test("C344 A value larger than one read", arguments: Transport.allCases)
    func large(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            let leading = try p.terminal("N", .leading, as: String.self)
            let following = try q.terminal("N", .following, as: String.self)
            let atQ = Ear(following)
            try await world.settle()
            let text = String(repeating: "0123456789abcdef", count: 5 << 16)
            leading.send(text)
            leading.send("after")
            try await leading.settled()
            try await world.settle()
            expect(atQ.heard == [text, "after"])
        }
    }

    @Test("A channel of the other mode is refused in one line", arguments: Transport.allCases)
    func wrongMode(transport: Transport) async throws {
        try await World.with(transport) { world in
            let program = await world.program()
            try await program.create("paired", mode: .paired)
            try await program.create("shared")
            let property = Ear(try program.property("paired", as: Int.self))
            let terminal = Ear(try program.terminal("shared", .leading, as: Int.self))
            try await world.settle()
            expect(
                property.heard
                    == ["fail(wrong-mode: paired is a paired channel: use `terminal` with a role, not `property`)"]
            )
            expect(terminal.heard == ["fail(wrong-mode: shared is a shared channel: use `property`, not `terminal`)"])
        }
    }

    @Test("Each write of many tasks waits for a room of its own, and sends meanwhile leave that to it")
    func manyWriters() async throws {
        try await World.with(.unix) { world in
            var configuration = ClientConfiguration.quick
            configuration.maximumWaitingSends = 2
            let p = Client(world.daemon.address, configuration: configuration)
            let leading = try p.terminal("N", .leading, as: Int.self)
            let values = try await world.attach(world.program(), "N", .following)
            let heard = Recorder(values)
            try await world.settle()
            try await withThrowingTaskGroup { group in
                for value in 1...200 {
                    group.addTask {
                        try await leading.write(value)
                        leading.send(-value)
                    }
                }
                try await group.waitForAll()
            }
            try await eventually { heard.values.count { $0 > 0 } == 200 }
            await p.close()
        }
    }
}

extension Role {
    fileprivate static let both: [Role] = [.leading, .following]
}

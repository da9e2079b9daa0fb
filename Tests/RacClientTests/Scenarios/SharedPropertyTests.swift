import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SharedPropertyTests {
    @Test(
        "C328 Several holders of one remote property: each hears all the others and never itself",
        arguments: Transport.allCases
    )
    func holders(transport: Transport) async throws {
        try await World.with(transport) { world in
            let holders = try await [
                world.open(world.program(), "N", as: Int.self), world.open(world.program(), "N", as: Int.self),
                world.open(world.program(), "N", as: Int.self),
            ]
            let terminals = holders.map { $0.terminal() }
            let ears = terminals.map { Ear($0) }
            try await world.settle()
            terminals[0].send(1)
            try await world.settle()
            terminals[1].send(2)
            try await world.settle()
            expect(ears.map(\.heard) == [["2"], ["1"], ["1", "2"]])
        }
    }

    @Test("C329 A late subscriber gets the current value, from any writer", arguments: Transport.allCases)
    func late(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.open(world.program(), "N", as: Int.self)
            let q = try await world.open(world.program(), "N", as: Int.self)
            let (terminalP, terminalQ) = (p.terminal(), q.terminal())
            terminalP.send(1)
            try await world.settle()
            terminalQ.send(2)
            try await world.settle()
            let r = try await world.open(world.program(), "N", as: Int.self)
            let atR = Ear(r.terminal())
            try await world.settle()
            expect(atR.heard == ["2"])
            expect(Ear(terminalP).heard == ["2"])
            expect(Ear(terminalQ).heard == ["2"])
        }
    }

    @Test(
        "C330 Local to remote: the remote wins at the start, then both directions carry",
        arguments: Transport.allCases
    )
    func localToRemote(transport: Transport) async throws {
        try await World.with(transport) { world in
            let p = try await world.open(world.program(), "N", as: String.self)
            p.send("r")
            try await world.settle()
            let y = Property("q")
            y <~> (try await world.open(world.program(), "N", as: String.self))
            try await world.settle()
            expect(y.value == "r")
            y.value = "q2"
            try await world.settle()
            expect(p.value == "q2")
            p.send("r2")
            try await world.settle()
            expect(y.value == "r2")
        }
    }

    @Test("remote-12 A local property that is bound to a remote one without a value is not sent until it changes")
    func nothingThere() async throws {
        try await World.with(.unix) { world in
            let program = await world.program()
            let y = Property("q")
            y <~> (try await world.open(program, "N", as: String.self))
            try await world.settle()
            expect(await #expect(throws: ClientError.self) { try await program.get("N") }?.code == .noSuchChannel)
            y.value = "q2"
            try await world.settle()
            expect(try await program.get("N").value == .string("q2"))
        }
    }

    @Test("C332 Three processes with local properties on one remote property", arguments: Transport.allCases)
    func three(transport: Transport) async throws {
        try await World.with(transport) { world in
            let first = try await world.open(world.program(), "N", as: String.self)
            first.send("start")
            try await world.settle()
            let locals = (0..<3).map { Property("\($0)") }
            for local in locals { local <~> (try await world.open(world.program(), "N", as: String.self)) }
            try await world.settle()
            expect(locals.map(\.value) == ["start", "start", "start"])
            for (step, local) in locals.enumerated() {
                local.value = "v\(step)"
                try await world.settle()
                expect(locals.map(\.value) == ["v\(step)", "v\(step)", "v\(step)"])
            }
        }
    }

    @Test("C333 After crossing writes everyone has the same value", arguments: Transport.allCases)
    func crossing(transport: Transport) async throws {
        try await World.with(transport) { world in
            let locals = (0..<3).map { _ in Property("") }
            for local in locals { local <~> (try await world.open(world.program(), "N", as: String.self)) }
            let observer = await world.program()
            try await world.settle()
            for round in 0..<20 {
                await withTaskGroup { group in
                    for (process, local) in locals.enumerated() {
                        group.addTask { for step in 0..<100 { local.value = "\(round)/\(process)/\(step)" } }
                    }
                }
                try await world.settle()
                let value = try await observer.get("N").value?.decoded(as: String.self)
                #expect(locals.map(\.value).allSatisfy { $0 == value })
                expect(value?.hasSuffix("/99") == true)
            }
        }
    }

    @Test("C336 A third process binds two remote properties to each other", arguments: Transport.allCases)
    func bridge(transport: Transport) async throws {
        try await World.with(transport) { world in
            let x = try await world.open(world.program(), "X", as: String.self)
            let y = try await world.open(world.program(), "Y", as: String.self)
            let (terminalX, terminalY) = (x.terminal(), y.terminal())
            y.send("y0")
            try await world.settle()
            terminalX.send("x0")
            try await world.settle()
            let program = await world.program()
            let (left, right) = try await (
                world.open(program, "X", as: String.self), world.open(program, "Y", as: String.self)
            )
            left <~> right
            try await world.settle()
            expect([x.value, y.value] == ["y0", "y0"])
            let (atP, atQ) = (Ear(terminalX), Ear(terminalY))
            terminalX.send("x1")
            try await world.settle()
            terminalY.send("y1")
            try await world.settle()
            expect(atP.heard == ["y0", "y1"])
            expect(atQ.heard == ["y0", "x1"])
            expect([x.value, y.value, left.value, right.value] == ["y1", "y1", "y1", "y1"])
        }
    }

    @Test(
        "C338 Two remote properties that two processes bind to each other at once settle",
        arguments: Transport.allCases
    )
    func twoBridges(transport: Transport) async throws {
        try await World.with(transport) { world in
            let x = try await world.open(world.program(), "X", as: String.self)
            let programQ = await world.program()
            let y = try await world.open(programQ, "Y", as: String.self)
            let (terminalX, terminalY) = (x.terminal(), y.terminal())
            terminalX.send("x0")
            terminalY.send("y0")
            try await world.settle()
            for program in [programQ, await world.program()] {
                let left = try await world.open(program, "X", as: String.self)
                left <~> (try await world.open(program, "Y", as: String.self))
            }
            try await world.settle()
            let (atP, atQ) = (Ear(terminalX), Ear(terminalY))
            let before = (atP.heard.count, atQ.heard.count)
            terminalX.send("x1")
            try await world.settle()
            expect([x.value, y.value] == ["x1", "x1"])
            expect(atP.heard.dropFirst(before.0) == [])
            expect(atQ.heard.dropFirst(before.1) == ["x1"])
            let (xNow, yNow) = try await (programQ.get("X"), programQ.get("Y"))
            expect(xNow.cause == nil, "X was set once, by P")
            expect(yNow.cause == xNow.revision, "Y was set once, since no cause is taken twice")
        }
    }

    @Test(
        "C341 When the owner of a published property goes away, everyone hears completion",
        arguments: Transport.allCases
    )
    func publisher(transport: Transport) async throws {
        try await World.with(transport) { world in
            var owned: Property<String>? = Property("o")
            let p = await world.program()
            let n = try await world.open(p, "N", as: String.self)
            if let owned { bind(n.terminal(), to: owned.terminal(), endsWithOwner: true) }
            try await world.settle()
            let q = Ear(try await world.open(world.program(), "N", as: String.self).terminal())
            try await world.settle()
            owned = nil
            try await world.settle()
            expect(q.heard == ["o", "done"])
        }
    }

    @Test(
        "C341 remote-14 When the owner of a bound property goes away, the channel stays open",
        arguments: Transport.allCases,
        [true, false]
    )
    func bound(transport: Transport, isLeft: Bool) async throws {
        try await World.with(transport) { world in
            var owned: Property<String>? = Property("o")
            let n = try await world.open(world.program(), "N", as: String.self)
            n.send("o")
            try await world.settle()
            if let owned, isLeft { owned <~> n } else if let owned { n <~> owned }
            try await world.settle()
            let other = try await world.open(world.program(), "N", as: String.self)
            let q = Ear(other.terminal())
            try await world.settle()
            owned = nil
            try await world.settle()
            expect(q.heard == ["o"])
            try await other.write("p")
            try await world.settle()
            expect(n.value == "p")
        }
    }

    @Test(
        "remote-14 A local property that looks at a remote one leaves it as it is when it goes",
        arguments: Transport.allCases
    )
    func viewer(transport: Transport) async throws {
        try await World.with(transport) { world in
            let q = try await world.open(world.program(), "N", as: String.self)
            q.send("q")
            let atQ = Ear(q.terminal())
            var local: Property<String>? = Property("")
            let p = await world.program()
            if let local { local <~> (try await world.open(p, "N", as: String.self)) }
            try await world.settle()
            expect(local?.value == "q")
            local = nil
            try await world.settle()
            expect(atQ.heard == ["q"])
            expect(try await p.list("N").map(\.bound) == [1])
        }
    }

    @Test(
        "C346 A client that is closed notifies each of its terminals once, and ends no channel",
        arguments: Transport.allCases
    )
    func closing(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            let mine = Ear(try p.terminal("N", .leading, as: Int.self))
            let ours = Ear(try p.property("M", as: Int.self).terminal())
            let theirs = Ear(try q.terminal("N", .following, as: Int.self))
            try await world.settle()
            await p.close()
            expect(mine.heard == ours.heard)
            #expect(mine.heard.count == 1 && mine.heard[0].hasPrefix("fail(closed: "))
            try await q.ping()
            expect(theirs.heard == [])
        }
    }

    @Test("A local property that is bound to the properties of two daemons carries values from each to the other")
    func twoDaemons() async throws {
        try await LocalDaemon.with(.unix) { old in
            try await LocalDaemon.with(.unix, keepsChannels: false) { new in
                for daemon in [old, new] {
                    try await daemon.withClient { client in
                        for number in 0..<100 { try await client.set("other", number) }
                    }
                }
                let left = Client(old.address, configuration: .quick)
                let right = Client(new.address, configuration: .quick)
                let local = Property(0)
                let ends = (try left.property("N", as: Int.self), try right.property("N", as: Int.self))
                local <~> ends.0
                local <~> ends.1
                try await old.withClient { try await $0.set("N", 1) }
                try await eventually { (try? await right.get("N", as: Int.self)) == 1 }
                try await new.withClient { try await $0.set("N", 2) }
                try await eventually { (try? await left.get("N", as: Int.self)) == 2 }
                try await old.withClient { try await $0.set("N", 3) }
                try await eventually { (try? await right.get("N", as: Int.self)) == 3 }
                await left.close()
                await right.close()
            }
        }
    }
}

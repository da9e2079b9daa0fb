import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The limits of commands, and the client that meets them.
@Suite struct ExecutionLimitTests {
    private static func rig(_ change: (inout Limits) -> Void) -> Rig {
        var limits = Limits()
        change(&limits)
        return Rig(limits: limits)
    }

    /// A value that fills the room of a connection.
    private static let large = "\"" + String(repeating: "x", count: HostedConnection.roomBytes) + "\""

    @Test("A slow caller's values queue; too many end that execution for it, and its host is asked to give up")
    func slowCaller() throws {
        let rig = Self.rig { $0.queuedBytesPerBinding = 1_000 }
        let (h, c, o) = (rig.connect(), rig.connect(), rig.connect())
        try h.host("save")
        try o.observe("save")
        try c.exec("save")
        c.reads(false)
        var count = 0
        while !h.take().contains("cancel x1"), count < 1_000 {
            count += 1
            h.progress(1, "\(count)")
        }
        #expect((20..<100).contains(count))
        try c.exec("save")
        h.settle(1)
        try c.exec("save")
        c.reads(true)
        let heard = c.take()
        let values = heard.filter { $0.contains("next") }
        expect(values == (1..<count).map { "x1 next \($0)" })
        // Queued values do not hold up answers.
        expect(
            heard.filter { $0.contains("refused") || $0.contains("executing") }
                == ["1 executing x1", "2 refused not-enabled", "3 executing x2"]
        )
        expect(heard.filter { $0.hasPrefix("x1 error") } == ["x1 error slow-consumer"])
        #expect(!o.take().contains { $0.contains("slow-consumer") })
        expect(c.connection.queuedBytes == 0)
    }

    @Test("One value always fits, however large, and the end always comes")
    func largeValue() throws {
        let rig = Self.rig { $0.queuedBytesPerBinding = 1_000 }
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("save")
        try c.exec("save")
        c.reads(false)
        h.progress(1, Self.large)
        h.settle(1)
        c.reads(true)
        expect(c.take() == ["1 executing x1", "x1 next \(Self.large)", "x1 completed"])
        expect(h.take() == ["1 hosting c1", "execute c1 x1"])
    }

    @Test("The queued values of all executions of a connection together are bounded")
    func slowCallerOfMany() throws {
        let rig = Self.rig { $0.bytesPerConnection = 1_000 }
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("save", concurrent: true)
        for _ in 1...2 { try c.exec("save") }
        c.reads(false)
        for _ in 1...100 { for execution: UInt64 in 1...2 { h.progress(execution, "\"0123456789\"") } }
        #expect(Set(h.take()).isSuperset(of: ["cancel x1", "cancel x2"]))
        #expect(c.connection.queuedBytes < 1_500)
    }

    @Test("The commands that a connection hosts are limited, and hosting fewer makes room")
    func hosted() throws {
        let rig = Self.rig { $0.commandsPerConnection = 1 }
        let a = rig.connect()
        try a.host("x")
        try a.host("y")
        a.unhost(1)
        try a.host("y")
        expect(a.take() == ["1 hosting c1", "2 refused limit", "3 done", "4 hosting c2"])
    }

    @Test("Observed commands count with bindings and watches")
    func observed() throws {
        let rig = Self.rig { $0.subscriptionsPerConnection = 2 }
        let a = rig.connect()
        try a.bound("x")
        try a.observe("x")
        try a.observe("y")
        try a.bind("y")
        a.unobserve(1)
        try a.observe("y")
        expect(
            a.take() == [
                "2 observing c1 disabled idle", "3 refused limit", "4 refused limit", "5 done",
                "6 observing c2 disabled idle",
            ]
        )
    }

    @Test("The executions of a connection are limited, as a caller and as a host")
    func executions() throws {
        let rig = Self.rig { $0.executionsPerConnection = 2 }
        let (h, a, b) = (rig.connect(), rig.connect(), rig.connect())
        try h.host("x", concurrent: true)
        for _ in 1...3 { try a.exec("x") }
        expect(a.take() == ["1 executing x1", "2 executing x2", "3 refused limit"])
        try b.exec("x")
        expect(b.take() == ["1 refused limit"])
        a.cancel(1)
        try a.exec("x")
        expect(a.take() == ["4 refused limit"])
        // A caller that reconnects repeatedly cannot add load to a host that goes on working.
        a.lose()
        try b.exec("x")
        expect(b.take() == ["2 refused limit"])
        h.settle(1)
        try b.exec("x")
        expect(b.take() == ["3 executing x3"])
    }

    @Test("The bytes of inputs that wait for a host are limited, and further executions are refused")
    func slowHost() throws {
        let rig = Self.rig { $0.bytesPerConnection = 3 * HostedConnection.roomBytes }
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("x", concurrent: true)
        h.reads(false)
        for _ in 1...3 { try c.exec("x", Self.large) }
        expect(c.take() == ["1 executing x1", "2 executing x2", "3 refused limit"])
        h.reads(true)
        expect(h.take().count == 3)
        try c.exec("x", Self.large)
        expect(c.take() == ["4 executing x3"])
    }

    @Test("The known commands are limited; the oldest without a host and an observer give way")
    func commands() throws {
        let rig = Self.rig { $0.commands = 3 }
        let a = rig.connect()
        for name in ["x", "y", "z"] { try a.host(name) }
        try a.host("w")
        try a.observe("w")
        expect(a.take().suffix(2) == ["4 refused limit", "5 refused limit"])
        a.unhost(2)
        a.unhost(1)
        try a.host("y")
        try a.host("w")
        try a.exec("x")
        a.unhost(2)
        try a.exec("y")
        try a.exec("z")
        expect(
            a.take() == [
                "6 done", "7 done", "8 hosting c2", "9 hosting c4", "10 refused no-such-command", "11 done",
                "12 refused not-hosted", "13 executing x1", "execute c3 x1",
            ]
        )
    }

    @Test("A command that is hosted again and again leaves nothing behind")
    func churn() throws {
        let rig = Self.rig { $0.commands = 5 }
        let a = rig.connect()
        try a.host("first")
        a.unhost(1)
        for _ in 1...1_000 {
            try a.host("x")
            a.unhost(2)
            try a.observe("only/observed")
            let observed = rig.host.commands.user(a.connection.id)?.observed.keys.map(\.number) ?? []
            for command in observed { a.unobserve(command) }
        }
        expect(rig.host.commands.count == 2)
        #expect(rig.host.commands.restCount <= 2 * 2 + 65)
        _ = a.take()
        try a.exec("first")
        expect(a.take().map { $0.hasSuffix("not-hosted") } == [true])
    }

    @Test("Too many executions for one turn fail over several, in order; meanwhile the command has no place for a host")
    func unhostingInTurns() throws {
        let rig = Self.rig { $0.unitsPerTurn = 200 }
        let (h, c, o) = (rig.connect(), rig.connect(), rig.connect())
        try h.host("save", concurrent: true)
        try o.observe("save")
        for _ in 0..<50 { try c.exec("save") }
        for client in [h, c, o] { _ = client.take() }
        try rig.firstOfTicks {
            h.unhost(1)
            try c.exec("save")
            try h.host("save")
            h.unhost(1)
            h.settle(50)
        }
        let early = c.take()
        let refused = ["51 refused not-hosted"]
        expect(early.filter { refused.contains($0) } == refused)
        #expect((2..<50).contains(early.count))
        expect(h.take() == ["3 refused already-hosted", "4 refused not-bound"])
        rig.tick()
        // The host ended the last one behind its unhost, which is passed over.
        let failed = early.filter { !refused.contains($0) } + c.take()
        expect(failed == (1...50).map { "x\($0) error host-lost" })
        expect(o.take() == (1...50).map { "c1 x\($0) error host-lost" } + ["c1 disabled idle"])
        expect(h.take() == ["2 done"])
        try h.host("save")
        expect(h.take() == ["5 hosting c1"])
        #expect(rig.host.commands.executions.isEmpty)
        #expect(rig.host.departures.isEmpty)
    }

    @Test("A host that is lost, or says bye, while its executions fail leaves nothing", arguments: [false, true])
    func lostWhileUnhosting(saysBye: Bool) throws {
        let rig = Self.rig { $0.unitsPerTurn = 100 }
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("save", concurrent: true)
        try h.host("load", concurrent: true)
        for _ in 0..<50 { try c.exec("save") }
        try c.exec("load")
        _ = c.take()
        _ = h.take()
        rig.firstOfTicks { h.unhost(1) }
        if saysBye { h.leave() } else { h.lose() }
        rig.tick()
        expect(c.take() == (1..<52).map { "x\($0) error host-lost" })
        expect(h.take() == (saysBye ? ["3 done"] : []))
        expect(rig.host.commands.hostedCount == 0)
        #expect(rig.host.departures.isEmpty)
    }
}

import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The messages about one run of a command.
@Suite struct ExecutionTests {
    private let rig = Rig()
    private let host: Client
    private let caller: Client
    private let observer: Client

    init() throws {
        self.host = self.rig.connect()
        self.caller = self.rig.connect()
        self.observer = self.rig.connect()
        try self.host.host("save")
        try self.observer.observe("save")
        expect(self.host.take() == ["1 hosting c1"])
        expect(self.observer.take() == ["1 observing c1 enabled idle"])
    }

    /// The caller has executed, and all observers are notified.
    private func begin() throws {
        try self.caller.exec("save", "[1, 2.0]")
        expect(self.host.take() == ["execute c1 x1 [1, 2.0]"])
        expect(self.caller.take() == ["1 executing x1"])
        expect(self.observer.take() == ["c1 disabled executing"])
    }

    @Test("Values stream back to the caller alone, then completion")
    func completion() throws {
        try self.begin()
        self.host.progress(1, "1.0")
        self.host.progress(1, "null")
        self.host.settle(1)
        expect(self.caller.take() == ["x1 next 1.0", "x1 next null", "x1 completed"])
        expect(self.observer.take() == ["c1 enabled idle"])
        self.host.progress(1, "2")
        self.host.settle(1)
        expect(self.caller.take() + self.host.take() + self.observer.take() == [])
    }

    @Test("An error reaches the caller and the observers")
    func failure() throws {
        try self.begin()
        self.host.settle(1, error: "disk")
        expect(self.caller.take() == ["x1 error disk"])
        expect(self.observer.take() == ["c1 x1 error disk", "c1 enabled idle"])
    }

    @Test("Each observer that is notified costs units of the turn")
    func work() throws {
        for _ in 0..<99 { try self.rig.connect().observe("save") }
        try self.begin()
        self.rig.firstOfTicks {
            let mark = self.rig.host.work.mark
            self.host.enable(1, false)
            self.host.settle(1, error: "disk")
            #expect(self.rig.host.work.spent(since: mark) >= 100 * Work.delivery)
        }
        self.rig.firstOfTicks {
            let mark = self.rig.host.work.mark
            self.host.enable(1, true)
            #expect(self.rig.host.work.spent(since: mark) >= 100 * Work.delivery)
        }
    }

    @Test(
        "An execution is refused: not-enabled while one runs or its host is unwilling, not-hosted without a host"
    )
    func notEnabled() throws {
        try self.begin()
        try self.caller.exec("save")
        try self.host.exec("save")
        self.host.enable(1, false)
        self.host.settle(1)
        try self.caller.exec("save")
        self.host.unhost(1)
        try self.caller.exec("save")
        try self.caller.exec("load")
        try self.observer.observe("load")
        try self.caller.exec("load")
        expect(
            self.caller.take() == [
                "2 refused not-enabled", "x1 completed", "3 refused not-enabled", "4 refused not-hosted",
                "5 refused no-such-command", "6 refused no-such-command",
            ]
        )
        expect(self.host.take() == ["2 refused not-enabled", "3 done"])
    }

    @Test("A cancelled execution ends when its host says so, with what the host says, and only for its caller")
    func cancelling() throws {
        try self.begin()
        self.host.progress(1, "1")
        self.caller.cancel(1)
        self.caller.cancel(1)
        self.host.progress(1, "2")
        expect(self.host.take() == ["cancel x1"])
        expect(self.caller.take() == ["x1 next 1"])
        try self.caller.exec("save")
        expect(self.caller.take() == ["2 refused not-enabled"])
        self.host.settle(1, error: "cancelled")
        expect(self.caller.take() == ["x1 error cancelled"])
        expect(self.observer.take() == ["c1 enabled idle"])
        self.caller.cancel(1)
        expect(self.host.take() == [])
    }

    @Test("Nobody but its caller cancels an execution, and nobody but its host speaks for it")
    func strangers() throws {
        try self.begin()
        let stranger = self.rig.connect()
        stranger.cancel(1)
        self.host.cancel(1)
        stranger.progress(1, "1")
        self.caller.settle(1)
        stranger.enable(1, false)
        stranger.cancel(99)
        stranger.settle(99)
        expect(stranger.take() + self.host.take() + self.caller.take() + self.observer.take() == [])
    }

    @Test(
        "When the caller has gone, the host is asked to give up and keeps its place until it has",
        arguments: [true, false]
    )
    func callerLost(isOrderly: Bool) throws {
        try self.begin()
        if isOrderly { self.caller.leave() } else { self.caller.lose() }
        expect(self.host.take() == ["cancel x1"])
        expect(self.observer.take() == [])
        self.host.progress(1, "1")
        self.host.settle(1, error: "cancelled")
        expect(self.observer.take() == ["c1 enabled idle"])
    }

    @Test(
        "When the host has gone or hosts no more, the execution fails with host-lost and the command waits for a host",
        arguments: ["lost", "leaves", "unhosts"]
    )
    func hostLost(how: String) throws {
        try self.begin()
        switch how {
        case "lost": self.host.lose()
        case "leaves": self.host.leave()
        default: self.host.unhost(1)
        }
        try self.caller.exec("save")
        expect(self.caller.take() == ["x1 error host-lost", "2 refused not-hosted"])
        expect(self.observer.take() == ["c1 x1 error host-lost", "c1 disabled idle"])
        let other = self.rig.connect()
        try other.host("save")
        expect(other.take() == ["1 hosting c1"])
        expect(self.observer.take() == ["c1 enabled idle"])
    }

    @Test("A cancelled execution whose host goes fails for its caller only")
    func cancelledAndHostLost() throws {
        try self.begin()
        self.caller.cancel(1)
        self.host.lose()
        expect(self.caller.take() == ["x1 error host-lost"])
        expect(self.observer.take() == ["c1 disabled idle"])
    }

    @Test("One connection may be host, caller and observer of a command; when it goes nothing is left")
    func alone() throws {
        self.host.unhost(1)
        _ = self.observer.take()
        let all = self.rig.connect()
        try all.host("save")
        try all.observe("save")
        try all.exec("save")
        expect(
            all.take() == [
                "1 hosting c1", "2 observing c1 enabled idle", "c1 disabled executing", "3 executing x1",
                "execute c1 x1",
            ]
        )
        all.lose()
        expect(
            self.observer.take() == [
                "c1 enabled idle", "c1 disabled executing", "c1 x1 error host-lost", "c1 disabled idle",
            ]
        )
        #expect(self.rig.host.commands.executions.isEmpty)
        expect(self.rig.host.commands.hostedCount == 0)
    }

    @Test("Figures count the hosted commands and the running executions")
    func figures() throws {
        try self.begin()
        self.rig.tick { self.rig.host.refreshFigures([]) }
        try self.caller.get("$sys/commands")
        try self.caller.get("$sys/executions")
        expect(self.caller.take().map { $0.last } == ["1", "1"])
    }

    @Test("A host that racd has ended loses its commands before its connection is closed")
    func evictedHost() throws {
        var limits = Limits()
        limits.watchNameBytesPerConnection = 500
        let rig = Rig(limits: limits)
        let (host, caller) = (rig.connect(), rig.connect())
        try host.host("c")
        try host.watch("n/*")
        try caller.exec("c")
        _ = host.take() + caller.take()
        host.reads(false)
        for index in 0..<5 {
            try caller.set("n/\(index)", "1")
            try caller.delete("n/\(index)")
        }
        #expect(host.isEvicted)
        #expect(caller.take().contains("x1 error host-lost"))
        try caller.exec("c")
        expect(caller.take().last?.hasSuffix("refused not-hosted") == true)
        try caller.host("c")
        expect(caller.take().last?.contains("hosting") == true)
        host.lose()
        expect(caller.take() == [])
    }
}

import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// Hosts, observers and states of commands.
@Suite struct CommandTests {
    @Test("A command has one host, of any connection, until that lets it go")
    func hosting() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.host("save")
        try a.host("save")
        try b.host("save")
        try b.host("load")
        b.unhost(1)
        a.unhost(1)
        a.unhost(1)
        try b.host("save")
        expect(a.take() == ["1 hosting c1", "2 refused already-hosted", "3 done", "4 refused not-bound"])
        expect(
            b.take() == ["1 refused already-hosted", "2 hosting c2", "3 refused not-bound", "4 hosting c1"]
        )
    }

    @Test("Observers get a command's state, and each change of it")
    func observing() throws {
        let rig = Rig()
        let (h, c, o) = (rig.connect(), rig.connect(), rig.connect())
        try o.observe("save")
        try h.host("save", enabled: false)
        h.enable(1, true)
        h.enable(1, true)
        try c.exec("save")
        h.enable(1, false)
        h.settle(1)
        h.enable(1, true)
        h.unhost(1)
        try h.host("save")
        expect(
            o.take() == [
                "1 observing c1 disabled idle", "c1 enabled idle", "c1 disabled executing", "c1 disabled idle",
                "c1 enabled idle", "c1 disabled idle", "c1 enabled idle",
            ]
        )
        expect(c.take() == ["1 executing x1", "x1 completed"])
        expect(h.take() == ["1 hosting c1", "execute c1 x1", "2 done", "3 hosting c1"])
        try c.observe("save")
        expect(c.take() == ["2 observing c1 enabled idle"])
    }

    @Test("A concurrent command runs for many at once and is executing until the last has ended")
    func concurrent() throws {
        let rig = Rig()
        let (h, c, o) = (rig.connect(), rig.connect(), rig.connect())
        try h.host("save", concurrent: true)
        try o.observe("save")
        try c.exec("save", "1")
        try o.exec("save", "2")
        h.settle(2)
        try c.exec("save", "3")
        h.settle(1)
        h.settle(3)
        expect(
            o.take() == [
                "1 observing c1 enabled idle", "c1 enabled executing", "2 executing x2", "x2 completed",
                "c1 enabled idle",
            ]
        )
        expect(h.take() == ["1 hosting c1", "execute c1 x1 1", "execute c1 x2 2", "execute c1 x3 3"])
        expect(c.take() == ["1 executing x1", "2 executing x3", "x1 completed", "x3 completed"])
    }

    @Test("A client that observes and hosts a command learns that it runs before it is asked to begin")
    func executingFirst() throws {
        let rig = Rig()
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("save")
        try h.observe("save")
        try c.exec("save")
        expect(h.take().suffix(2) == ["c1 disabled executing", "execute c1 x1"])
    }

    @Test("A client that observes and executes a command learns that it is free before it hears the end")
    func freeFirst() throws {
        let rig = Rig()
        let (h, c) = (rig.connect(), rig.connect())
        try h.host("save")
        try c.observe("save")
        try c.exec("save")
        h.settle(1, error: "disk")
        expect(
            c.take() == [
                "1 observing c1 enabled idle", "c1 disabled executing", "2 executing x1", "c1 x1 error disk",
                "c1 enabled idle", "x1 error disk",
            ]
        )
    }

    @Test("Observers learn that a host goes, also one that allowed no execution")
    func unwillingHostGoes() throws {
        let rig = Rig()
        let (h, o) = (rig.connect(), rig.connect())
        try h.host("save", enabled: false)
        try o.observe("save")
        h.unhost(1)
        try h.host("save", enabled: false)
        h.lose()
        expect(o.take() == ["1 observing c1 disabled idle", "c1 disabled idle", "c1 disabled idle"])
    }

    @Test("A connection observes a command once, and hears nothing of it any more when it does not")
    func unobserving() throws {
        let rig = Rig()
        let (h, o) = (rig.connect(), rig.connect())
        try o.observe("save")
        try o.observe("save")
        o.unobserve(1)
        o.unobserve(1)
        try h.host("save")
        try o.observe("save")
        expect(
            o.take() == [
                "1 observing c1 disabled idle", "2 refused already-bound", "3 done", "4 refused not-bound",
                "5 observing c2 enabled idle",
            ]
        )
    }

    @Test("Commands and channels of one name have nothing to do with each other")
    func nameSpaces() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.host("x")
        try a.get("x")
        try a.set("y", "1")
        try a.exec("y")
        try a.list()
        expect(
            a.take() == [
                "1 hosting c1", "2 refused no-such-channel", "3 rev 1", "4 refused no-such-command", "5 listed y@1",
            ]
        )
    }

    @Test("Names are those of channels, and those that begin with $ are the daemon's own")
    func names() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.host("$sys/stop")
        try a.observe("$sys/stop")
        try a.exec("$sys/stop")
        expect(a.take() == ["1 refused forbidden", "2 refused forbidden", "3 refused forbidden"])
        #expect(throws: NameError.self) { try CommandName("a//b") }
        #expect(throws: NameError.self) { try CommandName("a/*") }
    }

    @Test("An observer that reads nothing gets the newest errors, and then the newest state")
    func slowObserver() throws {
        let rig = Rig()
        let (h, c, o) = (rig.connect(), rig.connect(), rig.connect())
        try h.host("save")
        try o.observe("save")
        _ = o.take()
        o.reads(false)
        for execution: UInt64 in 1...100 {
            try c.exec("save")
            h.settle(execution, error: "e\(execution)")
        }
        try c.exec("save")
        o.reads(true)
        expect(o.take() == ["c1 x100 error e100", "c1 disabled executing"])
        h.settle(101)
        expect(o.take() == ["c1 enabled idle"])
        o.reads(false)
        try c.exec("save")
        o.unobserve(1)
        o.reads(true)
        expect(o.take() == ["2 done"])
    }

    @Test("A session that takes over its old connection may host that one's commands at once")
    func takeOver() throws {
        let rig = Rig()
        let c = rig.connect()
        let old = rig.connect(session: "s")
        try old.host("save")
        try c.observe("save")
        try c.exec("save")
        let new = rig.connect(session: "s")
        try new.host("save")
        old.lose()
        try c.exec("save")
        expect(new.take() == ["1 hosting c1", "execute c1 x2"])
        expect(
            c.take() == [
                "1 observing c1 enabled idle", "c1 disabled executing", "2 executing x1", "c1 x1 error host-lost",
                "c1 disabled idle", "x1 error host-lost", "c1 enabled idle", "c1 disabled executing",
                "3 executing x2",
            ]
        )
    }
}

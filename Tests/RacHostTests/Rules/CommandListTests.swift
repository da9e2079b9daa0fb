import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// Lists of commands, and commands that are forgotten.
@Suite struct CommandListTests {
    @Test("Commands are listed in order, with their hosts, observers and executions")
    func entries() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(agent: "kiosk/2.1"), rig.connect())
        try a.host("b/save", concurrent: true)
        try a.host("a/load", enabled: false)
        try b.observe("b/save")
        try b.observe("never/hosted")
        for _ in 1...2 { try b.exec("b/save") }
        _ = b.take()
        try b.listCommands()
        let (load, save) = ("a/load:1=kiosk/2.1/disabled/idle/seen 0/runs 0", "b/save:1=kiosk/2.1/enabled/executing")
        expect(b.take() == ["5 commands \(load) \(save)/concurrent/seen 1/runs 2"])
        a.lose()
        _ = b.take()
        try b.listCommands("b/*")
        expect(b.take() == ["6 commands b/save:nobody/disabled/idle/seen 1/runs 0"])
    }

    @Test("The answer goes on behind a name, and has as many commands as the client wants")
    func pages() throws {
        var limits = Limits()
        limits.listedChannels = 3
        let rig = Rig(limits: limits)
        let a = rig.connect()
        for name in ["e", "d", "c", "b", "a"] { try a.host(name) }
        _ = a.take()
        func names() -> [String] {
            a.takeMessages().map { message in
                guard case .reply(_, .commands(let listed)) = message else { return "\(message)" }
                return listed.commands.map(\.command.text).joined(separator: " ") + (listed.more ? " more" : "")
            }
        }
        try a.listCommands()
        try a.listCommands(after: "c")
        try a.listCommands(after: "a", limit: 1)
        try a.listCommands("d")
        expect(names() == ["a b c more", "d e", "b more", "d"])
    }

    @Test("A long list of commands is written over several turns, and others are answered meanwhile")
    func turns() throws {
        var limits = Limits()
        limits.unitsPerConnection = 10 * Work.name
        limits.unitsOfShortList = 0
        let rig = Rig(limits: limits)
        let (a, b) = (rig.connect(), rig.connect())
        for index in 0..<100 { try a.host("n\(index)") }
        _ = a.take()
        try rig.firstOfTicks {
            try a.listCommands("**/z")
            try b.set("x", "1")
        }
        expect(b.take() == ["1 rev 1"])
        expect(a.take() == [])
        rig.tick()
        expect(a.take() == ["101 commands"])
    }

    @Test("A command without a host is forgotten, and another one of its name may come")
    func forgotten() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.host("save")
        try b.forget("save")
        a.unhost(1)
        try b.forget("save")
        try b.forget("save")
        try b.exec("save")
        try b.listCommands()
        expect(
            b.take() == [
                "1 refused already-hosted", "2 done", "3 refused no-such-command", "4 refused no-such-command",
                "5 commands",
            ]
        )
        _ = a.take()
        try a.host("save")
        expect(a.take() == ["3 hosting c2"])
    }

    @Test("The observers of a forgotten command keep it, and see its next host")
    func observed() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.host("save")
        try b.observe("save")
        a.unhost(1)
        _ = b.take()
        try b.forget("save")
        try b.forget("save")
        try b.exec("save")
        try a.host("save")
        expect(
            b.take() == ["2 done", "3 refused no-such-command", "4 refused no-such-command", "c1 enabled idle"]
        )
        a.unhost(1)
        try b.forget("save")
        b.unobserve(1)
        _ = (a.take(), b.take())
        try a.host("save")
        expect(a.take() == ["5 hosting c2"])
    }

    @Test("The daemon's own names have no commands to forget")
    func reserved() throws {
        let a = Rig().connect()
        try a.forget("$sys/save")
        expect(a.take() == ["1 refused forbidden"])
    }
}

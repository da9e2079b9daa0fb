import Expectations
import RacAccess
import RacHost
import RacProtocol
import Testing

/// The refusals for want of permission, as the log learns of them.
@Suite struct RefusedActTests {
    private static func rig() throws -> (rig: Rig, user: Client) {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("user", [.read: ["a", "b"]])
        let rig = Rig(access: try rules.policy())
        return (rig, rig.connect(token: "user"))
    }

    @Test("Each refusal is recorded with the principal, the verb and the name")
    func acts() throws {
        let (rig, user) = try Self.rig()
        let terminal = try user.bound("a")
        try user.set("a", "1")
        try user.get("c")
        try user.delete("b")
        try user.exec("x")
        try user.put([("a", nil, 0), ("b", "1", nil)])
        user.ask(.who(AskWho(channel: nil)))
        user.next(terminal, "1")
        user.end(terminal)
        expect(
            rig.takeRefusedActs() == [
                "forbidden user write a", "forbidden user read c", "forbidden user manage b", "forbidden user exec x",
                "forbidden user write b", "forbidden user admin -", "forbidden user write a", "forbidden user manage a",
            ]
        )
        try user.get("a")
        try user.bind("a")
        expect(rig.takeRefusedActs() == [])
    }

    @Test("Equal refusals of a tick are one entry, and a tick has sixteen entries at most")
    func together() throws {
        let (rig, user) = try Self.rig()
        try rig.tick { for _ in 0..<5 { try user.get("c") } }
        expect(rig.takeRefusedActs() == ["forbidden user read c *5"])
        try rig.tick { for number in 0..<20 { try user.get("n/\(number)") } }
        let acts = rig.takeRefusedActs()
        #expect(acts.count == 16 && acts.last == "forbidden user read n/15 and 4")
    }

    @Test("A principal that is gone, and a client that names the session of another, are recorded too")
    func clients() throws {
        let (rig, _) = try Self.rig()
        _ = rig.connect(session: "s", token: "user")
        _ = rig.connect(session: "s", token: "root")
        expect(rig.takeRefusedActs() == ["forbidden root hello"])
        var rules = Rules()
        try rules.addRoot()
        let without = try rules.policy()
        rig.tick { rig.host.take(without) }
        expect(rig.takeRefusedActs() == ["unauthenticated user hello", "unauthenticated user hello"])
    }

    @Test("An open daemon records no refusal")
    func open() throws {
        let rig = Rig()
        let client = rig.connect()
        try client.set("$sys/version", "1")
        #expect(client.take() == ["1 refused forbidden"] && rig.takeRefusedActs() == [])
    }
}

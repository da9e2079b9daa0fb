import Expectations
import RacAccess
import RacHost
import RacProtocol
import Testing

/// Bounds of roles on what a client may have.
@Suite struct BoundTests {
    private static func rules(_ bounds: [RoleBound: Int]) throws -> AccessPolicy {
        var rules = Rules()
        try rules.addRoot()
        let all = Dictionary(uniqueKeysWithValues: Verb.allCases.filter { $0 != .admin }.map { ($0, ["**"]) })
        try rules.add("user", all, bounds: bounds)
        return try rules.policy()
    }

    private static func rig(_ bounds: [RoleBound: Int]) throws -> (rig: Rig, root: Client, user: Client) {
        let rig = Rig(access: try Self.rules(bounds))
        return (rig, rig.connect(token: "root"), rig.connect(token: "user"))
    }

    /// The message of the only refusal since the last look.
    private static func refusal(_ client: Client) -> String? {
        let messages = client.takeMessages()
        guard messages.count == 1, case .refused(_, let refusal) = messages[0] else { return nil }
        expect(refusal.error.code == "limit")
        return refusal.error.message
    }

    @Test("A principal has as many connections as its bound says; another one is refused and ended")
    func connections() throws {
        let (rig, root, first) = try Self.rig([.connections: 2])
        let second = rig.connect(token: "user")
        let third = rig.connect(token: "user")
        expect(Self.refusal(third) == "user may have no more connections: its roles have connections = 2")
        #expect(third.isEvicted && !first.isEvicted && !second.isEvicted && !root.isEvicted)
        third.lose()
        #expect(rig.connect(token: "user").isEvicted)
        second.lose()
        #expect(!rig.connect(token: "user").isEvicted)
        #expect(!rig.connect(token: "root").isEvicted)
    }

    @Test("A client that takes over its own session needs no further connection")
    func takingOver() throws {
        let rig = Rig(access: try Self.rules([.connections: 1]))
        let before = rig.connect(session: "s", token: "user")
        let now = rig.connect(session: "s", token: "user")
        #expect(before.isEvicted && !now.isEvicted)
        #expect(rig.connect(session: "t", token: "user").isEvicted)
    }

    @Test("Connections above a lower bound stay, and a bound that is lifted counts them all the same")
    func changed() throws {
        let (rig, _, first) = try Self.rig([:])
        let second = rig.connect(token: "user")
        try rig.tick { rig.host.take(try Self.rules([.connections: 1])) }
        #expect(!first.isEvicted && !second.isEvicted)
        second.lose()
        #expect(rig.connect(token: "user").isEvicted)
        try rig.tick { rig.host.take(try Self.rules([.connections: 2])) }
        #expect(!rig.connect(token: "user").isEvicted)
    }

    @Test("A daemon that closes counts the connections that are there")
    func closing() throws {
        let rig = Rig()
        let first = rig.connect(token: "user")
        try rig.tick { rig.host.take(try Self.rules([.connections: 1])) }
        #expect(!first.isEvicted)
        #expect(rig.connect(token: "user").isEvicted)
        rig.tick { rig.host.take(nil) }
        #expect(!rig.connect(token: "user").isEvicted)
    }

    @Test("Bindings, watches and observed commands of a connection count together")
    func bindings() throws {
        let (rig, root, user) = try Self.rig([.bindings: 3])
        let bound = try user.bound("a")
        try user.watch("*")
        try user.observe("c")
        _ = user.take()
        let message =
            "user may have no more bindings, watches and observed commands on this connection: its roles have bindings = 3"
        try user.bind("b")
        expect(Self.refusal(user) == message)
        try user.watch("b")
        expect(Self.refusal(user) == message)
        try user.observe("b")
        expect(Self.refusal(user) == message)
        user.ask(.unbind(bound))
        _ = user.take()
        try user.bound("b")
        let other = rig.connect(token: "user")
        try other.bound("a")
        for name in ["a", "b", "c", "d"] { try root.bound(name) }
    }

    @Test("A lower bound of bindings keeps those that are there")
    func fewerBindings() throws {
        let (rig, root, user) = try Self.rig([:])
        let terminals = try ["a", "b"].map { try user.bound($0) }
        try rig.tick { rig.host.take(try Self.rules([.bindings: 1])) }
        try root.set("a", "1")
        try root.set("b", "1")
        expect(user.take() == ["t\(terminals[0]) next 1@1", "t\(terminals[1]) next 1@2"])
        try user.bind("c")
        let message =
            "user may have no more bindings, watches and observed commands on this connection: its roles have bindings = 1"
        expect(Self.refusal(user) == message)
    }

    @Test("A value of an execution that is longer than its host may send ends the execution")
    func valuesOfExecutions() throws {
        let (_, root, user) = try Self.rig([.valueBytes: 3])
        try user.host("c")
        try root.exec("c")
        _ = user.take()
        user.progress(1, "123")
        expect(root.take() == ["1 executing x1", "x1 next 123"])
        user.progress(1, "1234")
        expect(root.take() == ["x1 error limit"])
        expect(user.take() == ["cancel x1"])
        user.progress(1, "12345")
        try root.exec("c")
        expect(root.take() == ["2 refused not-enabled"])
        user.settle(1)
        try root.exec("c")
        expect(root.take() == ["3 executing x2"])
        expect(user.take() == ["execute c1 x2"])
    }

    @Test("A principal makes as many channels as its bound says, over all its connections, in whatever way")
    func channels() throws {
        let (rig, root, user) = try Self.rig([.channels: 2])
        let message = "user may make no more channels: its roles have channels = 2"
        try root.set("theirs", "1")
        try user.set("a", "1")
        try user.set("theirs", "2")
        let other = rig.connect(token: "user")
        try other.create("b")
        _ = user.take() + other.take()
        try user.set("c", "1")
        expect(Self.refusal(user) == message)
        try user.create("c")
        expect(Self.refusal(user) == message)
        try user.put([("a", "2", nil), ("c", "1", nil)])
        expect(Self.refusal(user) == message)
        try user.bind("c") { $0.defaultValue = .text("1") }
        expect(Self.refusal(user) == message)
        let terminal = try user.bound("c")
        user.next(terminal, "1")
        expect(user.take() == ["t\(terminal) nak 1 limit"])
        user.end(terminal)
        expect(user.take() == ["t\(terminal) nak 2 limit"])
        try root.get("c")
        expect(root.take().last == "2 refused no-such-channel")
        try root.delete("a")
        user.next(terminal, "1")
        expect(user.take() == ["t\(terminal) ack 3@6"])
        try user.delete("b")
        try user.put([("d", "1", nil), ("e", "1", nil)])
        expect(user.take().last == "9 refused limit")
        try user.set("d", "1")
        expect(user.take().last?.hasPrefix("10 rev ") == true)
    }

    @Test("A will that would make a channel too many is not applied")
    func wills() throws {
        let (_, root, user) = try Self.rig([.channels: 0])
        try user.bound("a", will: .value(.text("9")))
        user.lose()
        try root.get("a")
        expect(root.take() == ["1 refused no-such-channel"])
    }

    @Test("Channels that a principal made before it had a bound count, too, however it made them")
    func channelsBefore() throws {
        let (rig, _, user) = try Self.rig([:])
        try user.set("a", "1")
        let terminal = try user.bound("b")
        user.next(terminal, "1")
        try rig.tick { rig.host.take(try Self.rules([.channels: 3])) }
        _ = user.take()
        try user.set("c", "1")
        expect(user.take().count == 1)
        try user.set("d", "1")
        expect(Self.refusal(user) == "user may make no more channels: its roles have channels = 3")
    }

    @Test("A value that is too long is refused wherever it stands, with the index of an entry")
    func values() throws {
        let (_, root, user) = try Self.rig([.valueBytes: 4])
        let message = "user may not send a value of 5 bytes: its roles have value-bytes = 4"
        try user.set("a", "1234")
        let terminal = try user.bound("a")
        _ = user.take()
        try user.set("a", "12345")
        expect(Self.refusal(user) == message)
        try user.create("b")
        _ = user.take()
        try user.put([("a", "1", nil), ("b", "12345", nil)])
        expect(user.take() == ["5 refused limit index 1"])
        try user.bind("c") { $0.defaultValue = .text("12345") }
        expect(Self.refusal(user) == message)
        try user.bind("c") { $0.will = .value(.text("12345")) }
        expect(Self.refusal(user) == message)
        try user.exec("x", "12345")
        expect(Self.refusal(user) == message)
        user.next(terminal, "12345")
        expect(user.take() == ["t\(terminal) nak 1 limit"])
        user.next(terminal, "4321")
        expect(user.take() == ["t\(terminal) ack 2@3"])
        try root.set("a", "123456")
        expect(user.take() == ["t\(terminal) next 123456@4"])
    }

    @Test("The host reports each change of the rate at which a connection is read, but not the rate of its hello")
    func rates() throws {
        let (rig, _, _) = try Self.rig([.messagesPerSecond: 5])
        try rig.tick { rig.host.take(try Self.rules([.messagesPerSecond: 5, .channels: 1])) }
        expect(rig.rates == [])
        try rig.tick { rig.host.take(try Self.rules([.bytesPerSecond: 7])) }
        expect(rig.rates.last == ReadRate(bytesPerSecond: 7))
        try rig.tick { rig.host.take(try Self.rules([:])) }
        #expect(rig.rates.last == ReadRate() && rig.rates.count == 2)
    }
}

import Expectations
import RacHost
import RacProtocol
import Testing

/// The daemon's own channels.
@Suite struct SystemTests {
    private static func refresh(_ rig: Rig, after pause: UInt64 = 0) {
        rig.tick(after: pause) { rig.host.refreshFigures([("version", .text("\"racd/1\""))]) }
    }

    @Test("Figures can be read and bound, and report only what is new")
    func figures() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.bound("x")
        try a.set("x", "1")
        Self.refresh(rig)
        _ = a.take()
        let expected = [
            ("version", "\"racd/1\""), ("uptime", "0"), ("connections", "1"), ("bindings", "1"), ("channels", "1"),
            ("changes", "1"), ("commands", "0"), ("executions", "0"), ("storage", "\"ok\""),
            ("access", "\"open\""), ("memory/wills", "0"),
        ]
        for (name, value) in expected {
            try a.get("$sys/\(name)")
            expect(a.take().first?.hasSuffix(" open shared \(value)") == true)
        }
        for (name, _) in expected { try a.bound("$sys/\(name)") }
        Self.refresh(rig, after: 999)
        expect(a.take().map { $0.split(separator: "@").first } == ["t13 next 12"])
        Self.refresh(rig, after: 1)
        expect(a.take().map { $0.split(separator: "@").first } == ["t7 next 1"])
        expect(rig.stored == ["x"])
    }

    @Test("The connections of each transport are counted, without those that have gone")
    func transports() throws {
        let rig = Rig()
        let a = rig.connect(transport: .webSocket)
        let others = [rig.connect(transport: .tcp), rig.connect(transport: .tcp), rig.connect(transport: .http)]
        Self.refresh(rig)
        try a.get("$sys/transports")
        expect(a.take().last?.hasSuffix(#" {"tcp":2,"websocket":1,"http":1}"#) == true)
        others[2].lose()
        Self.refresh(rig)
        try a.get("$sys/transports")
        expect(a.take().last?.hasSuffix(#" {"tcp":2,"websocket":1}"#) == true)
    }

    @Test("A client of HTTP gets the messages of which others get frames")
    func messages() throws {
        let rig = Rig()
        let (writer, web, other) = (rig.connect(), rig.connect(transport: .http), rig.connect(transport: .tcp))
        try writer.host("c")
        for client in [web, other] {
            try client.get("x")
            try client.bind("x") { $0.conflate = false }
            try client.bind("x") { $0.role = .leading }
            try client.watch("*")
            try client.observe("c")
            client.reads(false)
        }
        let long = "[\(String(repeating: "1,", count: 40_000))1]"
        for value in ["1", long, "2"] { try writer.set("x", value) }
        try web.exec("c")
        for client in [web, other] { client.reads(true) }
        try writer.set("x", "3")
        writer.progress(1, "4")
        writer.settle(1, error: "oops")
        try writer.delete("x")
        let (heard, expected) = (web.take(), other.take())
        let own = ["6 executing x1", "x1 next 4", "x1 error oops"]
        expect(heard.filter(own.contains) == own)
        expect(heard.filter { !own.contains($0) } == expected)
        expect(web.connection.outgoingBytes == 0)
    }

    @Test("The daemon's own channels say where values are kept, and how the disk does")
    func storage() throws {
        let memory = Rig()
        Self.refresh(memory)
        let a = memory.connect()
        try a.get("$sys/storage")
        expect(a.take().first?.hasSuffix(" \"memory\"") == true)
        let stored = Rig(isStored: true)
        let b = stored.connect()
        try b.set("x", "1")
        stored.fail("no \"space\"")
        Self.refresh(stored)
        try b.get("$sys/storage")
        expect(b.take().last?.hasSuffix(" \"failing: no \\\"space\\\"\"") == true)
    }

    @Test(
        "No client writes, ends, makes or deletes the daemon's own names",
        arguments: ["$sys/version", "$sys/new", "$x"]
    )
    func forbidden(_ name: String) throws {
        let rig = Rig()
        Self.refresh(rig)
        let a = rig.connect()
        try a.set(name, "1")
        try a.finish(name)
        try a.reopen(name)
        try a.delete(name)
        try a.create(name)
        try a.put([(name, "1", nil)])
        try a.bind(name) { $0.defaultValue = .text("1") }
        try a.bind(name) { $0.will = .value(.text("1")) }
        expect(
            a.take().map { $0.dropFirst(2) } == Array(repeating: "refused forbidden", count: 5) + [
                "refused forbidden index 0", "refused forbidden", "refused forbidden",
            ]
        )
    }

    @Test("A terminal of the daemon's own takes no sends")
    func sends() throws {
        let rig = Rig()
        Self.refresh(rig)
        let a = rig.connect()
        for role in [Role.leading, .following] {
            let t = try a.bound("$sys/version", role)
            a.next(t, "1")
            a.end(t)
            expect(a.take() == ["t\(t) nak 1 forbidden", "t\(t) nak 2 forbidden"])
        }
        try a.get("$sys/version")
        expect(a.take().first?.hasSuffix(" open shared \"racd/1\"") == true)
    }

    @Test("Names that the daemon does not have cannot be bound or read")
    func missing() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.bind("$sys/none")
        try a.get("$sys/none")
        expect(a.take() == ["1 refused no-such-channel", "2 refused no-such-channel"])
    }

    @Test("A second hello, and a text that is no message, are refused; ping is answered")
    func oddMessages() {
        let rig = Rig()
        let a = rig.connect()
        a.say(.hello(Hello()))
        a.say(.ping)
        a.say(.pong)
        a.ask(.ping)
        var late = Hello()
        late.id = RequestID(6)
        a.say(.hello(late))
        let fault = MessageError(MessageError(.badName, "no"), of: .request(RequestID(7)))
        rig.tick { rig.host.received(fault, from: a.connection) }
        let ofEntry = MessageError(MessageError(.badName, "no"), of: .entry(RequestID(8), 1))
        rig.tick { rig.host.received(ofEntry, from: a.connection) }
        expect(
            a.take() == [
                "refused bad-message", "pong", "1 done", "6 refused bad-message", "7 refused bad-name",
                "8 refused bad-name index 1",
            ]
        )
    }

    @Test("A send that is no message is refused in its place of the order, and a session remembers that")
    func oddSend() throws {
        let rig = Rig()
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        let fault = MessageError(MessageError(.badMessage, "no"), of: .send(t, SendNumber(2)))
        first.next(t, "1")
        rig.tick { rig.host.received(fault, from: first.connection) }
        first.next(t, "3", n: 3)
        expect(first.take() == ["t3 ack 1@1", "t3 nak 2 bad-message", "t3 ack 3@2"])
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x")
        _ = again.take()
        again.next(t, "2", n: 2)
        expect(again.take() == ["t3 nak 2 bad-message"])
        let unbound = MessageError(MessageError(.badMessage, "no"), of: .send(TerminalID(77), SendNumber(1)))
        rig.tick { rig.host.received(unbound, from: again.connection) }
        expect(again.take() == ["t77 nak 1 bad-message"])
    }
}

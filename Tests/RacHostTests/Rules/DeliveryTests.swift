import Expectations
import NIOCore
import RacHost
import RacProtocol
import Testing

/// The readers of a value, and the order of their messages.
@Suite struct DeliveryTests {
    @Test("The answer to a send that waits for room in the socket is owed", arguments: [false, true])
    func owedAnswer(isEnd: Bool) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try b.bound("x", conflate: isEnd ? nil : false)
        b.reads(false)
        try a.set("x", "1")
        if isEnd {
            rig.tick {
                b.say(atOnce: [
                    Self.send(t, 1, .next(.text("2"), condition: nil, cause: nil)), Self.send(t, 2, .end(.completed)),
                ])
            }
        } else {
            b.next(t, "2", if: 99)
        }
        expect(b.take() == [])
        #expect(b.connection.isOwed)
        b.reads(true)
        #expect(b.take().contains { $0.contains(isEnd ? "ack" : "nak") })
        #expect(!b.connection.isOwed)
    }

    private static func send(_ terminal: TerminalID, _ number: UInt64, _ event: Send.Event) -> ClientMessage {
        .send(Send(terminal: terminal, number: SendNumber(number), event: event, sync: false))
    }

    @Test("A value reaches every other binder of either side and never its sender")
    func noEcho() throws {
        let rig = Rig()
        let (a, b, c) = (rig.connect(), rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        try c.bound("x", .leading)
        a.next(t, "42")
        expect(a.take() == ["t3 ack 1@1"])
        expect(b.take() == ["t3 next 42@1"])
        expect(c.take() == ["t2 next 42@1"])
        rig.tick()
        expect(a.take() + b.take() + c.take() == [])
    }

    @Test("Both terminals of one connection are strangers: what one sends reaches the other")
    func twoTerminals() throws {
        let rig = Rig()
        let a = rig.connect()
        let f = try a.bound("x")
        let l = try a.bound("x", .leading)
        #expect(f != l)
        a.next(f, "1")
        expect(a.take() == ["t2 next 1@1", "t3 ack 1@1"])
        a.next(l, "2")
        expect(a.take() == ["t3 next 2@2", "t2 ack 1@2"])
    }

    @Test("In a paired channel a value crosses to the other side only, on one connection too")
    func paired() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.create("x", .paired)
        let f = try a.bound("x")
        let l = try a.bound("x", .leading)
        try b.bound("x")
        a.next(l, "\"is\"")
        a.next(f, "\"should\"")
        expect(a.take() == ["t3 next \"is\"@2", "t2 ack 1@2", "t2 next \"should\"@3", "t3 ack 1@3"])
        expect(b.take() == ["t3 next \"is\"@2"])
    }

    @Test("A value set by a request reaches every binder, the one on the same connection too")
    func byRequest() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.bound("x")
        try a.set("x", "1")
        expect(a.take() == ["2 rev 1", "t3 next 1@1"])
    }

    @Test("Crossing sends of one tick reach everybody in the order of their revisions, none its sender")
    func oneOrder() throws {
        let rig = Rig()
        let (a, b, c) = (rig.connect(), rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        try c.bound("x")
        rig.tick {
            a.next(t, "1")
            b.next(t, "2")
            a.next(t, "3")
        }
        expect(a.take() == ["t3 next 2@2", "t3 ack 2@3"])
        expect(b.take() == ["t3 next 1@1", "t3 next 3@3", "t3 ack 1@2"])
        expect(c.take() == ["t3 next 1@1", "t3 next 2@2", "t3 next 3@3"])
    }

    @Test("A change of one tick is encoded once for all receivers")
    func sharedBytes() throws {
        let rig = Rig()
        let (a, b, c) = (rig.connect(), rig.connect(), rig.connect())
        try a.bound("x")
        try b.bound("x")
        rig.host.beginTick(at: Time(uptime: 2_000, wall: 0))
        rig.host.beginTurn()
        let set = SetValue(channel: try ChannelName("x"), value: .text("1"))
        rig.host.received(.request(RequestID(1), .set(set)), from: c.connection)
        rig.host.endTick()
        let addresses = [a, b].map { client in
            rig.host.takeOutput(of: client.connection).map { $0.withUnsafeBytes { $0.baseAddress } }
        }
        expect(addresses[0].count == 1)
        expect(addresses[0] == addresses[1])
    }

    private func set(_ value: JSONText, as client: Client, in rig: Rig) throws {
        let set = SetValue(channel: try ChannelName("x"), value: value)
        rig.host.received(.request(RequestID(1), .set(set)), from: client.connection)
    }

    @Test("The frame of a value is not kept beyond the tick")
    func memory() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        var frame = ByteBuffer(string: "12" + String(repeating: " ", count: 4_096))
        rig.host.beginTick(at: Time(uptime: 2_000, wall: 0))
        rig.host.beginTurn()
        try self.set(JSONText(unchecked: frame, range: 0..<2), as: a, in: rig)
        rig.host.endTick()
        guard case .put(let stored)? = rig.host.takeBatch()?.changes.first else {
            Issue.record("the channel is not stored")
            return
        }
        let kept = try #require(stored.record.value?.value)
        let address = frame.withUnsafeReadableBytes { $0.baseAddress }
        // If the value kept the frame, the frame would be copied before it changes.
        frame.setInteger(UInt8(ascii: "3"), at: 0)
        expect(frame.withUnsafeReadableBytes { $0.baseAddress } == address)
        expect(kept.text == "12")
    }

    @Test("A client that is alone after others have left hears what they sent before")
    func left() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x", conflate: false)
        try b.bound("x")
        rig.tick {
            b.next(t, "1")
            b.ask(.unbind(t))
            a.next(t, "2")
        }
        expect(a.take() == ["t3 next 1@1", "t3 ack 1@2"])
    }

    @Test(
        "Values pass byte for byte",
        arguments: ["2.50", "[1, 2]", "{\"a\":1,\"a\":2}", "12345678901234567890", "null"]
    )
    func bytes(_ value: String) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        a.next(t, value)
        expect(b.take() == ["t3 next \(value)@1"])
    }

    @Test("After unbind nothing more arrives, and sending is refused")
    func unbind() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        a.ask(.unbind(t))
        expect(a.take() == ["2 done"])
        b.next(t, "1")
        a.next(t, "2")
        expect(a.take() == ["t3 nak 1 not-bound"])
        expect(b.take() == ["t3 ack 1@1"])
        a.ask(.unbind(t))
        expect(a.take() == ["3 refused not-bound"])
    }

    @Test("Events of the same tick before an unbind come before its answer")
    func unbindAfterValue() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        rig.tick {
            b.next(t, "1")
            a.next(t, "2")
            a.ask(.unbind(t))
            b.next(t, "3")
        }
        expect(a.take() == ["t3 next 1@1", "t3 ack 1@2", "2 done"])
    }

    @Test("A terminal is bound once per connection")
    func twice() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.bound("x")
        try a.bind("x")
        expect(a.take() == ["2 refused already-bound"])
    }

    @Test("A binder in the middle of a tick gets the current state and what comes later")
    func midTick() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try rig.tick {
            a.next(t, "1")
            try b.bind("x")
            a.next(t, "2")
        }
        expect(b.take() == ["1 bound t3@1 open shared n0 1", "t3 next 2@2"])
    }
}

/// The answers to a bind.
@Suite struct BindTests {
    @Test("A following terminal replays the value, a leading one does not unless asked")
    func replay() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1")
        try a.bind("x")
        try a.bind("x") { $0.role = .leading }
        expect(a.take() == ["1 rev 1", "2 bound t3@1 open shared n0 1", "3 bound t2@1 open shared n0"])
        let b = rig.connect()
        try b.bind("x") { $0.replay = false }
        try b.bind("x") {
            $0.role = .leading
            $0.replay = true
        }
        expect(b.take() == ["1 bound t3@1 open shared n0", "2 bound t2@1 open shared n0 1"])
    }

    @Test("A paired channel's leading terminal shows the wish, its following one the value")
    func paired() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.create("x", .paired, value: "1")
        try a.set("x", "2")
        try a.bind("x") {
            $0.role = .leading
            $0.replay = true
        }
        try a.bind("x")
        try a.get("x")
        expect(
            a.take() == [
                "1 rev 2", "2 rev 3", "3 bound t2@3 open paired n0 2", "4 bound t3@2 open paired n0 1",
                "5 got@2 open paired 1 wish 2@3",
            ]
        )
    }

    @Test(
        "A client that has the newest revision gets no value, one with another revision does",
        arguments: [Role.leading, .following]
    )
    func since(_ role: Role) throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1")
        try a.set("x", "2")
        _ = a.take()
        for (since, value) in [(2, ""), (1, " 2"), (0, " 2"), (9, " 2")] {
            let b = rig.connect()
            try b.bind("x") {
                $0.role = role
                $0.since = Revision(UInt64(since))
            }
            expect(b.take() == ["1 bound t\(role == .leading ? 2 : 3)@2 open shared n0\(value)"])
        }
    }

    @Test("A default is the value of a channel that never had one, and overwrites nothing")
    func defaultValue() throws {
        let rig = Rig()
        let (a, b, w) = (rig.connect(), rig.connect(), rig.connect())
        try w.bound("d", .leading)
        try a.bind("d") { $0.defaultValue = .text("42") }
        try b.bind("d") { $0.defaultValue = .text("7") }
        expect(a.take() == ["1 bound t3@1 open shared n0 42"])
        expect(b.take() == ["1 bound t3@1 open shared n0 42"])
        expect(w.take() == ["t2 next 42@1"])
    }

    @Test("null is a value: a default does not replace it")
    func null() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("d", "null")
        try a.bind("d") { $0.defaultValue = .text("7") }
        expect(a.take() == ["1 rev 1", "2 bound t3@1 open shared n0 null"])
    }

    @Test("A default that cannot be taken refuses the bind and leaves no channel; an ended channel ignores it")
    func refusedDefault() throws {
        var limits = Limits()
        limits.valueBytes = 3
        let rig = Rig(limits: limits)
        let a = rig.connect()
        try a.bind("d") { $0.defaultValue = .text("1234") }
        expect(a.take() == ["1 refused limit"])
        try a.create("e")
        try a.finish("e")
        try a.bind("e") { $0.defaultValue = .text("1") }
        expect(
            a.take() == ["2 rev 1", "3 rev 2", "4 bound t5@0 completed shared n0", "t5 completed@2"]
        )
    }

    @Test("The cause of a value is sent with it")
    func cause() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1")
        try a.set("y", "1") { $0.cause = Revision(1) }
        try a.bind("y")
        try a.get("y")
        expect(
            a.take() == ["1 rev 1", "2 rev 2", "3 bound t5@2 open shared n0 1 from 1", "4 got@2 open shared 1 from 1"]
        )
    }
}

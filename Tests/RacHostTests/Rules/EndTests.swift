import Expectations
import RacProtocol
import Testing

/// Ends and reopenings of channels.
@Suite struct EndTests {
    @Test(
        "An end sent by either side reaches both, the sender too, and is replayed",
        arguments: [Role.leading, .following],
        [ChannelEnd.completed, .failed(WireError(code: "boom", message: "m", data: .text("{\"pin\": 7}")))]
    )
    func bothWays(_ role: Role, _ end: ChannelEnd) throws {
        let rig = Rig()
        let (a, b, c) = (rig.connect(), rig.connect(), rig.connect())
        let t = try a.bound("x", role)
        try b.bound("x", .leading)
        try c.bound("x", .following)
        a.next(t, "1")
        _ = (a.take(), b.take(), c.take())
        a.end(t, end)
        let ended = ServerMessage.ended(t, end, Revision(2))
        expect(a.take() == ["t\(t) ack 2@2", ended.brief])
        expect(b.takeMessages() == [.ended(TerminalID(2), end, Revision(2))])
        expect(c.takeMessages() == [.ended(TerminalID(3), end, Revision(2))])
        let d = rig.connect()
        try d.bind("x")
        try d.bind("x") { $0.role = .leading }
        let word = end == .completed ? "completed" : "failed"
        expect(
            d.take() == [
                "1 bound t3@1 \(word) shared n0 1", ServerMessage.ended(TerminalID(3), end, Revision(2)).brief,
                "2 bound t2@1 \(word) shared n0", ServerMessage.ended(TerminalID(2), end, Revision(2)).brief,
            ]
        )
    }

    @Test("A request ends a channel as a terminal does")
    func byRequest() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.bound("x")
        try b.finish("x", .failed(WireError(code: "boom", message: "")))
        expect(a.take() == ["t3 error boom@1"])
        expect(b.take() == ["1 rev 1"])
        try b.finish("x")
        try b.finish("missing")
        expect(b.take() == ["2 refused terminated@0", "3 refused no-such-channel"])
    }

    @Test("An end unbinds: no unbind follows, sends are refused, and after a reopening one binds again")
    func unbound() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1")
        a.end(t)
        _ = a.take()
        a.next(t, "2")
        a.end(t)
        a.ask(.unbind(t))
        expect(a.take() == ["t3 nak 3 terminated@1=1", "t3 nak 4 terminated@1=1", "2 refused not-bound"])
        try b.reopen("x")
        try b.reopen("x")
        expect(b.take() == ["1 rev 3", "2 rev 3"])
        a.next(t, "2", n: 5)
        expect(a.take() == ["t3 nak 5 not-bound"])
        try a.bind("x")
        a.next(t, "3")
        expect(a.take() == ["3 bound t3@1 open shared n2 1", "t3 ack 6@4"])
    }

    @Test("An ended channel refuses values and returns its value; reopening it changes no value")
    func terminated() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1")
        try a.finish("x")
        try a.set("x", "2")
        try a.get("x")
        try a.reopen("x")
        try a.set("x", "3")
        try a.get("x")
        expect(
            a.take() == [
                "1 rev 1", "2 rev 2", "3 refused terminated@1=1", "4 got@1 completed shared 1", "5 rev 3", "6 rev 4",
                "7 got@4 open shared 3",
            ]
        )
    }

    @Test("The values of a tick come before its end, in order")
    func valuesBeforeEnd() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x", .leading)
        rig.tick {
            a.next(t, "1")
            a.next(t, "2")
            a.end(t)
        }
        expect(b.take() == ["t2 next 1@1", "t2 next 2@2", "t2 completed@3"])
        expect(a.take() == ["t3 ack 3@3", "t3 completed@3"])
    }

    @Test("A deleted channel completes its binders and is gone; one of its name has new terminals")
    func delete() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1")
        _ = a.take()
        try b.delete("x")
        try b.get("x")
        try b.delete("x")
        expect(b.take() == ["1 rev 2", "2 refused no-such-channel", "3 refused no-such-channel"])
        expect(a.take() == ["t3 deleted@2"])
        a.next(t, "2")
        try a.bind("x")
        expect(a.take() == ["t3 nak 2 terminated@0", "2 bound t5@0 open shared n0"])
    }

    @Test("In one tick a channel can end, open again and be bound again, and everything is sent in order")
    func manyInOneTick() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try rig.tick {
            try b.set("x", "1")
            try b.finish("x")
            try b.reopen("x")
            try a.bind("x")
            try b.set("x", "2")
        }
        expect(t == TerminalID(3))
        expect(
            a.take() == ["t3 next 1@1", "t3 completed@2", "2 bound t3@1 open shared n0 1", "t3 next 2@4"]
        )
    }

    @Test("A channel that was only bound is unknown, and forgotten with its last binder")
    func onlyBound() throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.get("x")
        try b.list()
        try b.watch("**")
        expect(b.take() == ["1 refused no-such-channel", "2 listed ", "3 watching w1", "w1 synced"])
        a.ask(.unbind(t))
        try b.create("y")
        try a.bind("x")
        expect(a.take() == ["2 done", "3 bound t7@0 open shared n0"])
        expect(rig.stored == ["y"])
    }

    @Test("A channel is created once, with its mode and value; a binder of another mode is not surprised")
    func create() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.create("p", .paired, value: "1")
        try a.create("p", .paired)
        try a.set("s", "1")
        try a.create("s")
        try b.bound("q")
        try a.create("q", .paired)
        try a.create("q", value: "2")
        try a.get("p")
        expect(
            a.take() == [
                "1 rev 2", "2 refused exists", "3 rev 3", "4 refused exists", "5 refused exists", "6 rev 5",
                "7 got@2 open paired 1",
            ]
        )
        expect(b.take() == ["t7 next 2@5"])
    }
}

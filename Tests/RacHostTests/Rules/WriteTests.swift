import Expectations
import RacHost
import RacProtocol
import Testing

/// Conditions, puts, and sends that cannot be applied.
@Suite struct WriteTests {
    @Test("A conditional write is applied at that revision only, and a refusal has the channel's state")
    func condition() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1") { $0.condition = Revision.never }
        try a.set("x", "2") { $0.condition = Revision.never }
        try a.set("x", "3") { $0.condition = Revision(1) }
        try a.set("y", "3") { $0.condition = Revision(1) }
        let t = try a.bound("x")
        a.next(t, "4", if: 1)
        a.next(t, "5", if: 2)
        expect(a.take() == ["t3 nak 1 conflict@2=3", "t3 ack 2@3"])
        try a.list()
        expect(a.take() == ["6 listed x@3"])
    }

    @Test("One of many conditional writes for one revision in one tick wins, and the others hear of it first")
    func race() throws {
        let rig = Rig()
        let clients = (0..<10).map { _ in rig.connect() }
        let t = try #require(try clients.map { try $0.bound("x") }.first)
        rig.tick { for (index, client) in clients.enumerated() { client.next(t, "\(index)", if: 0) } }
        expect(clients[0].take() == ["t3 ack 1@1"])
        for client in clients.dropFirst() { expect(client.take() == ["t3 next 0@1", "t3 nak 1 conflict@1=0"]) }
    }

    @Test("A put is applied as a whole and delivered to each channel's binders")
    func put() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("m/a")
        try a.put([("m/a", "1", nil), ("m/b", "2", 0)])
        expect(a.take() == ["1 revs 1 2"])
        expect(b.take() == ["t3 next 1@1"])
    }

    @Test("A put with one wrong entry changes nothing and says which")
    func putRefused() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.set("m/a", "0")
        try a.set("m/end", "0")
        try a.finish("m/end")
        try b.watch("**")
        _ = (a.take(), b.take())
        try a.put([("m/new", "9", nil), ("m/a", "9", 7)])
        try a.put([("m/new", "9", nil), ("m/end", "9", nil)])
        try a.put([("m/new", "9", nil), ("m/a", "9", nil), ("m/new", "8", nil)])
        try a.put([("m/new", "9", nil), ("$sys/x", "9", nil)])
        try a.list()
        expect(
            a.take() == [
                "4 refused conflict@1=0 index 1", "5 refused terminated@2=0 index 1", "6 refused bad-message index 2",
                "7 refused forbidden index 1", "8 listed m/a@1 m/end@2",
            ]
        )
        expect(b.take() == [])
    }

    @Test("An entry without a value compares, changes nothing, and returns the revision that it compared with")
    func putGuards() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("end", "0")
        try a.finish("end")
        try a.create("p", .paired, value: "1")
        try a.set("p", "2")
        _ = a.take()
        try a.put([("end", nil, 1), ("new", "1", nil), ("none", nil, 0)])
        try a.put([("new", "2", nil), ("none", nil, 7)])
        try a.put([("p", nil, 5)])
        try a.put([("p", nil, 4), ("new", "2", nil)])
        try a.put([("new", "2", nil), ("new", nil, 5)])
        try a.put([("none", nil, nil)])
        try a.put([("$sys/none", nil, 0)])
        try a.list()
        expect(
            a.take() == [
                "5 revs 1 6 0", "6 refused conflict@0 index 1", "7 revs 5", "8 refused conflict@5=2 index 0",
                "9 refused bad-message index 1", "10 refused bad-message index 0", "11 revs 0",
                "12 listed end@1 new@6 p@4",
            ]
        )
    }

    @Test("A put with more new channels or values than there is room for makes none")
    func putLimits() throws {
        var limits = Limits()
        limits.channels = 3
        limits.valueBytes = 10
        let rig = Rig(limits: limits)
        let a = rig.connect()
        try a.set("a", "12345678")
        try a.put([("b", "1", nil), ("c", "1", nil), ("d", "1", nil)])
        try a.put([("b", "12", nil), ("c", "1", nil)])
        try a.put([("b", "12", nil), ("a", "1234567", nil), ("c", "1", nil)])
        try a.list()
        expect(
            a.take() == ["1 rev 1", "2 refused limit", "3 refused limit", "4 revs 2 3 4", "5 listed a@3 b@2 c@4"]
        )
    }

    @Test("A put writes as the following side: in a paired channel it is a wish")
    func putPaired() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.create("p", .paired, value: "1")
        try a.put([("p", "2", 0)])
        try a.get("p")
        expect(a.take() == ["1 rev 2", "2 revs 3", "3 got@2 open paired 1 wish 2@3"])
    }

    @Test("The sends of a tick have one acknowledgement, with the last one's revision")
    func cumulative() throws {
        let rig = Rig()
        let a = rig.connect()
        let t = try a.bound("x")
        rig.tick { for value in 1...32 { a.next(t, "\(value)") } }
        expect(a.take() == ["t3 ack 32@32"])
    }

    @Test("A nak comes behind the acknowledgement of the sends before it")
    func nak() throws {
        let rig = Rig()
        let a = rig.connect()
        let t = try a.bound("x")
        rig.tick {
            a.next(t, "1")
            a.next(t, "2")
            a.next(t, "3", if: 1)
            a.next(t, "4")
        }
        expect(a.take() == ["t3 ack 2@2", "t3 nak 3 conflict@2=2", "t3 ack 4@3"])
    }

    @Test("A number at or below the last one applied is acknowledged and changes nothing")
    func duplicate() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        a.next(t, "1", n: 3)
        a.next(t, "2", n: 4)
        _ = (a.take(), b.take())
        a.next(t, "9", n: 3)
        a.end(t, n: 4)
        expect(a.take() == ["t3 ack 3@2", "t3 ack 4@2"])
        expect(b.take() == [])
        a.ask(.unbind(t))
        a.next(t, "9", n: 4)
        a.next(t, "9", n: 5)
        expect(a.take() == ["2 done", "t3 ack 4@2", "t3 nak 5 not-bound"])
    }

    @Test("A terminal that nobody has heard of is not bound", arguments: [0, 1, 77, UInt64(Int64.max)])
    func strangeTerminal(_ number: UInt64) throws {
        let rig = Rig()
        let a = rig.connect()
        a.next(TerminalID(number), "1")
        a.ask(.unbind(TerminalID(number)))
        expect(a.take() == ["t\(number) nak 1 not-bound", "1 refused not-bound"])
    }

    @Test("A paired channel's ended terminals refuse with what each side sent last")
    func pairedTerminated() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.create("p", .paired, value: "1")
        let f = try a.bound("p")
        let l = try a.bound("p", .leading)
        a.next(f, "2")
        try a.finish("p")
        _ = a.take()
        a.next(f, "3")
        a.next(l, "4")
        expect(a.take() == ["t3 nak 2 terminated@3=2", "t2 nak 1 terminated@2=1"])
    }
}

import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The values for a client whose socket takes no more.
@Suite struct SlowReaderTests {
    private static func limits(queued: Int, together: Int = 64 << 20) -> Limits {
        var limits = Limits()
        limits.queuedBytesPerBinding = queued
        limits.bytesPerConnection = together
        return limits
    }

    @Test("A slow reader of a shared channel gets the newest value, and nobody waits for it")
    func newest() throws {
        let rig = Rig()
        let (a, slow, fast) = (rig.connect(), rig.connect(), rig.connect())
        let t = try a.bound("x")
        try slow.bound("x")
        try fast.bound("x")
        slow.reads(false)
        for value in 1...5 { a.next(t, "\(value)") }
        expect(slow.take() == [])
        expect(fast.take().count == 5)
        slow.reads(true)
        expect(slow.take() == ["t3 next 5@5"])
        a.next(t, "6")
        expect(slow.take() == ["t3 next 6@6"])
    }

    @Test("A slow reader's other channels, answers and ends wait for the socket alone")
    func others() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        for name in ["x", "y", "z"] { try slow.bound(name) }
        slow.reads(false)
        try a.set("x", "1")
        try a.set("y", "1")
        try a.finish("z")
        slow.ask(.ping)
        try a.set("x", "2")
        expect(slow.take() == [])
        slow.reads(true)
        expect(slow.take() == ["4 done", "t3 next 2@4", "t5 next 1@2", "t7 completed@3"])
    }

    @Test("Unread values count as bytes of answers, so that no more requests need be read")
    func outgoingBytes() throws {
        let rig = Rig()
        let a = rig.connect()
        a.reads(false)
        for _ in 0..<10 { a.ask(.ping) }
        #expect(a.connection.outgoingBytes > 200)
        a.reads(true)
        expect(a.connection.outgoingBytes == 0)
        expect(a.take().count == 10)
    }

    @Test("A slow reader that writes hears nothing older than its own write")
    func ownWrite() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try slow.bound("x")
        slow.reads(false)
        a.next(t, "1")
        slow.next(t, "2")
        slow.reads(true)
        expect(slow.take() == ["t3 ack 1@2"])
        slow.reads(false)
        a.next(t, "3")
        slow.next(t, "4")
        a.next(t, "5")
        slow.next(t, "6", if: 1)
        slow.reads(true)
        expect(slow.take() == ["t3 ack 2@4", "t3 nak 3 conflict@5=5", "t3 next 5@5"])
    }

    @Test("Acknowledgements wait for room too, all in one")
    func acks() throws {
        let rig = Rig()
        let slow = rig.connect()
        let t = try slow.bound("x")
        slow.reads(false)
        for value in 1...100 { slow.next(t, "\(value)") }
        expect(slow.connection.outgoingBytes == 0)
        slow.reads(true)
        expect(slow.take() == ["t3 ack 100@100"])
    }

    @Test("An end comes behind the newest value, and a new binding behind the end")
    func endBehindNewest() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try slow.bound("x")
        slow.reads(false)
        a.next(t, "1")
        a.next(t, "2")
        slow.next(t, "3")
        a.next(t, "4")
        a.end(t)
        try a.reopen("x")
        try slow.bind("x")
        slow.reads(true)
        expect(
            slow.take() == ["t3 next 4@4", "t3 ack 1@3", "t3 completed@5", "2 bound t3@4 open shared n1 4"]
        )
        try a.set("x", "5")
        expect(slow.take() == ["t3 next 5@7"])
    }

    @Test("In a paired channel every value queues, in order, the end behind them")
    func every() throws {
        let rig = Rig()
        let (l, slow) = (rig.connect(), rig.connect())
        try l.create("p", .paired)
        let leading = try l.bound("p", .leading)
        try slow.bound("p")
        slow.reads(false)
        for value in 1...3 { l.next(leading, "\(value)") }
        l.end(leading)
        expect(slow.take() == [])
        slow.reads(true)
        expect(slow.take() == ["t3 next 1@2", "t3 next 2@3", "t3 next 3@4", "t3 completed@5"])
        expect(slow.connection.queuedBytes == 0)
    }

    @Test("Past the bound the binding alone ends, without a revision, behind the queued values; it can bind again")
    func slowConsumer() throws {
        let rig = Rig(limits: Self.limits(queued: 200))
        let (l, slow, fast) = (rig.connect(), rig.connect(), rig.connect())
        try l.create("p", .paired)
        let leading = try l.bound("p", .leading)
        let t = try slow.bound("p")
        try slow.bound("q")
        try fast.bound("p")
        slow.reads(false)
        for value in 1...20 { l.next(leading, "\(value)") }
        try l.set("q", "1")
        expect(fast.take().count == 20)
        slow.reads(true)
        let heard = slow.take()
        expect(heard.first == "t3 next 1@2")
        expect(heard.suffix(2) == ["t3 error slow-consumer", "t5 next 1@22"])
        #expect((3..<15).contains(heard.count))
        slow.next(t, "1")
        try slow.bind("p")
        expect(slow.take() == ["t3 nak 1 not-bound", "3 bound t3@21 open paired n0 20"])
        #expect(!slow.isEvicted)
    }

    @Test("One value longer than the bound queues as well as a short one")
    func longValue() throws {
        let rig = Rig(limits: Self.limits(queued: 100))
        let (l, slow) = (rig.connect(), rig.connect())
        try l.create("p", .paired)
        let leading = try l.bound("p", .leading)
        try slow.bound("p")
        slow.reads(false)
        let long = "\"\(String(repeating: "x", count: 1_000))\""
        l.next(leading, long)
        slow.reads(true)
        expect(slow.take() == ["t3 next \(long)@2"])
    }

    @Test("All queues of one connection together have a bound too")
    func together() throws {
        let rig = Rig(limits: Self.limits(queued: 1_000, together: 1_500))
        let (a, slow) = (rig.connect(), rig.connect())
        for name in ["x", "y", "z"] { try slow.bound(name, conflate: false) }
        slow.reads(false)
        for value in 1...15 { for name in ["x", "y", "z"] { try a.set(name, "\(value)") } }
        slow.reads(true)
        expect(slow.take().count { $0.hasSuffix("slow-consumer") } == 3)
        expect(slow.connection.queuedBytes == 0)
    }

    @Test("conflate chooses the other behaviour: every value of a shared channel, the newest of a paired one")
    func conflate() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        try a.create("p", .paired)
        let leading = try a.bound("p", .leading)
        try slow.bound("p", conflate: true)
        try slow.bound("s", conflate: false)
        slow.reads(false)
        for value in 1...3 {
            a.next(leading, "\(value)")
            try a.set("s", "\(value)")
        }
        slow.reads(true)
        expect(slow.take().sorted() == ["t3 next 3@6", "t5 next 1@3", "t5 next 2@5", "t5 next 3@7"])
    }

    @Test("A client that gets every value hears them before the answers to its own later sends")
    func everyBeforeAnswers() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        let t = try a.bound("s")
        try slow.bound("s", conflate: false)
        slow.reads(false)
        a.next(t, "1")
        slow.next(t, "2")
        a.next(t, "3")
        slow.next(t, "4", if: 1)
        rig.tick {
            slow.reads(true)
            a.next(t, "5")
        }
        expect(
            slow.take() == ["t3 next 1@1", "t3 next 3@3", "t3 ack 1@2", "t3 nak 2 conflict@3=3", "t3 next 5@4"]
        )
    }

    @Test("Naks for a client that reads nothing are bounded like values")
    func naks() throws {
        let rig = Rig(limits: Self.limits(queued: 1_000))
        let (a, slow) = (rig.connect(), rig.connect())
        let t = try a.bound("s")
        try slow.bound("s", conflate: false)
        slow.reads(false)
        a.next(t, "1")
        for _ in 0..<50 { slow.next(t, "2", if: 9) }
        #expect(slow.connection.queuedBytes < 2_000)
        slow.reads(true)
        let heard = slow.take()
        #expect(heard.contains("t3 error slow-consumer"))
        expect(heard.count { $0.contains(" nak ") } == 50)
    }

    @Test("A client that unbinds gets its queued events, and no value that it fell behind with")
    func unbind() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        let every = try slow.bound("e", conflate: false)
        let newest = try slow.bound("n")
        slow.reads(false)
        try a.set("e", "1")
        try a.set("n", "1")
        slow.next(every, "2")
        slow.ask(.unbind(every))
        slow.ask(.unbind(newest))
        try a.set("e", "3")
        try a.set("n", "3")
        slow.reads(true)
        expect(slow.take() == ["t3 next 1@1", "t3 ack 1@3", "3 done", "4 done"])
    }

    @Test("One tick's burst fills the room; the rest comes when that is written")
    func room() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let long = "\"\(String(repeating: "x", count: 100_000))\""
        for index in 0..<10 { try b.bound("x\(index)") }
        try rig.tick { for index in 0..<10 { try a.set("x\(index)", long) } }
        expect(b.take().count == 10)
    }

    @Test("A connection that is lost while it is behind leaves nothing behind")
    func lost() throws {
        let rig = Rig()
        let (a, slow) = (rig.connect(), rig.connect())
        try slow.bound("x")
        try slow.bound("e", conflate: false)
        slow.reads(false)
        try a.set("x", "1")
        try a.set("e", "1")
        try a.finish("e")
        slow.lose()
        try a.set("x", "2")
        expect(slow.take() == [])
        #expect(!rig.host.wantsTick)
    }
}

import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// Bindings with an interval.
@Suite struct PacedTests {
    @Test("At most one value comes in each interval: the first at once, then the newest when it is over")
    func interval() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try paced.bound("x", interval: 100)
        a.next(t, "1")
        expect(paced.take() == ["t3 next 1@1"])
        for value in 2...9 { a.next(t, "\(value)") }
        expect(paced.take() == [])
        expect(rig.host.nextDeadline == rig.now + 100)
        rig.tick(after: 99)
        expect(paced.take() == [])
        rig.tick(after: 1)
        expect(paced.take() == ["t3 next 9@9"])
        expect(rig.host.nextDeadline == nil)
        rig.tick(after: 100)
        a.next(t, "10")
        expect(paced.take() == ["t3 next 10@10"])
    }

    @Test("However often the channel changes, one deadline is set")
    func oneDeadline() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try paced.bound("x", interval: 100)
        for value in 1...50 { a.next(t, "\(value)") }
        expect(rig.host.deadlines.count == 1)
        for _ in 1...20 {
            paced.reads(false)
            paced.next(t, "\"own\"")
            a.next(t, "\"new\"")
            paced.reads(true)
        }
        expect(rig.host.deadlines.count == 1)
        rig.tick(after: 100)
        expect(paced.take().filter { !$0.contains(" ack ") } == ["t3 next 1@1", "t3 next \"new\"@90"])
    }

    @Test("A binding with a long interval is not kept for that after it was left")
    func left() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        for value in 1...500 {
            let terminal = try paced.bound("x", interval: 86_400_000)
            a.next(t, "\(value)")
            a.next(t, "\(value)")
            paced.ask(.unbind(terminal))
        }
        #expect(rig.host.deadlines.count < 200)
    }

    @Test("Acknowledgements and ends do not wait for the interval; the newest value comes before the end")
    func endsAndAcks() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try paced.bound("x", interval: 100)
        a.next(t, "1")
        a.next(t, "2")
        _ = paced.take()
        paced.next(t, "3")
        expect(paced.take() == ["t3 ack 1@3"])
        a.next(t, "4")
        a.next(t, "5")
        expect(paced.take() == [])
        a.end(t)
        expect(paced.take() == ["t3 next 5@5", "t3 completed@6"])
        rig.tick(after: 100)
        expect(paced.take() == [])
    }

    @Test("A value that its own later send has overtaken does not come when the interval is over")
    func overtaken() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try paced.bound("x", interval: 100)
        a.next(t, "1")
        a.next(t, "2")
        paced.next(t, "3")
        rig.tick(after: 100)
        expect(paced.take() == ["t3 next 1@1", "t3 ack 1@3"])
        a.next(t, "4")
        expect(paced.take() == ["t3 next 4@4"])
    }

    @Test("A paced reader that is slow gets the newest value when it reads and its time has come")
    func slow() throws {
        let rig = Rig()
        let (a, paced) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try paced.bound("x", interval: 100)
        a.next(t, "1")
        a.next(t, "2")
        paced.reads(false)
        rig.tick(after: 100)
        a.next(t, "3")
        paced.reads(true)
        expect(paced.take() == ["t3 next 1@1", "t3 next 3@3"])
    }

    @Test(
        "An interval has a bound, and none is no interval",
        arguments: [(0, true), (86_400_000, true), (86_400_001, false)]
    )
    func bound(_ interval: UInt64, _ isGood: Bool) throws {
        let rig = Rig()
        let a = rig.connect()
        try a.bind("x") { $0.interval = interval }
        try a.bind("y") { $0.interval = UInt64(Int64.max) }
        let first = isGood ? "1 bound t3@0 open shared n0" : "1 refused bad-message"
        expect(a.take() == [first, "2 refused bad-message"])
    }
}

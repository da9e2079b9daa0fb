import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PropertyTerminalTests {
    @Test("C232 A property's terminal starts with the current value, then follows changes")
    func start() {
        let p = Property("a")
        let a = Recorder(p.terminal())
        p.value = "b"
        expect(a.events == events("a", "b"))
    }

    @Test("C234 A value sent to the terminal sets the property and is not echoed")
    func noEcho() {
        let p = Property("a")
        let t = p.terminal()
        let a = Recorder(t)
        t.send("x")
        expect(p.value == "x")
        t.send("y")
        expect(p.value == "y")
        expect(a.events == events("a"))
    }

    @Test("C235 terminal-4 A subscriber who comes after a write through the terminal sees that write")
    func replayOfOwnWrite() {
        let p = Property("a")
        let t = p.terminal()
        t.send("x")
        expect(Recorder(t).events == events("x"))
    }

    @Test("C236 Two terminals on one property: each hears the other, neither hears itself")
    func two() {
        let p = Property("a")
        let (t, u) = (p.terminal(), p.terminal())
        let (first, second) = (Recorder(t), Recorder(u))
        t.send("x")
        u.send("y")
        p.value = "z"
        expect(first.events == events("a", "y", "z"))
        expect(second.events == events("a", "x", "z"))
    }

    @Test("terminal-5 An equal value that is sent leaves no suppression behind")
    func equalValue() {
        let p = Property("a")
        let t = p.terminal()
        let a = Recorder(t)
        t.send("a")
        p.value = "b"
        expect(a.events == events("a", "b"))
    }

    @Test("terminal-5 An observer that sets the property again during a write through the terminal is heard there")
    func answer() {
        let p = Property(0)
        let t = p.terminal()
        let a = Recorder(t)
        p.onValue { if $0 > 100 { p.value = 100 } }
        t.send(150)
        expect(a.events == events(0, 100))
    }

    @Test("C246 The channel completes when the property's owner goes away, if it is bound to end with it")
    func ownerGone() {
        var owner: Owner? = Owner(1)
        let channel = TwoWayChannel<Int, Never>()
        if let owner { bind(channel.leading, to: owner.property.terminal(), endsWithOwner: true) }
        let (l, f) = (Recorder(channel.leading), Recorder(channel.following))
        owner = nil
        expect(l.events == events(then: .completed))
        expect(f.events == events(1, then: .completed))
    }

    @Test("A terminal made for an owner that goes away completes, and has ended for those who come later")
    func ownerGoneTerminal() {
        var owner: Owner? = Owner(1)
        let t = owner?.property.terminal()
        let f = t.map { Recorder($0) }
        owner = nil
        expect(f?.events == events(1, then: .completed))
        expect(t.map { Recorder($0).events } == events(then: .completed))
    }

    @Test("A terminal that has ended neither sets nor follows the property, which lives on")
    func ended() {
        let p = Property(1)
        let source = CountedSource(Subject<Int, Never>())
        let t = p.terminal()
        t.subscribe(to: source)
        let (a, b) = (Recorder(t), Recorder(p))
        t.complete()
        t.send(2)
        p.value = 3
        expect(p.value == 3)
        expect(a.events == events(1, then: .completed))
        expect(b.events == events(1, 3))
        expect(source.subscribers == 0)
        expect(Recorder(t).events == events(then: .completed))
    }

    @Test("C247 The nil value stands in for an absent value")
    func nilValue() {
        let p = Property(0)
        let t = p.terminal(whenNil: 5)
        t.send(2)
        expect(p.value == 2)
        t.send(nil)
        expect(p.value == 5)
    }

    @Test("The replacement of an absent value is not sent back")
    func nilValueStays() {
        let (a, b) = (Property<Int?>(1), Property(2))
        b.terminal(whenNil: 5) <~> a.terminal()
        expect(b.value == 1)
        a.value = nil
        expect(a.value == nil)
        expect(b.value == 5)
        b.value = 6
        expect(a.value == 6)
    }

    @Test("C251 A change made on another thread is announced")
    func otherThread() async {
        let p = Property("a")
        let t = p.terminal()
        let a = Recorder(t)
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                p.value = "w"
                done.resume()
            }
        }
        t.send("m")
        expect(a.events == events("a", "w"))
        expect(p.value == "m")
    }

    @Test("The property forgets terminals that nobody uses")
    func forgotten() {
        let p = Property(0)
        let source = CountedSource(Subject<Int, Never>())
        let feed = p.terminal().subscribe(to: source)
        expect(source.subscribers == 1)
        feed.dispose()
        Recorder(p.terminal()).dispose()
        expect(source.subscribers == 0)
        expect(p.observerCount == 0)
    }
}

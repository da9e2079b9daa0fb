import Expectations
import Rac
import RacTesting
import Testing

@Suite struct SwitchTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let outer = Subject<Ints, TestFailure>()
    private let a = Subject<Int, TestFailure>()
    private let b = Subject<Int, TestFailure>()

    @Test("C094 Switching follows only the newest inner signal")
    func newest() {
        let first = CountedSource(self.a)
        let r = Recorder(self.outer.signal.switchToLatest())
        self.outer.send(first.signal)
        self.a.send(1)
        self.outer.send(self.b.signal)
        self.a.send(2)
        self.b.send(3)
        expect(r.events == events(1, 3))
        expect(first.subscribers == 0)
    }

    @Test("A failure of an inner signal counts until it is replaced")
    func failure() {
        let r = Recorder(self.outer.signal.switchToLatest())
        self.outer.send(self.a.signal)
        self.outer.send(self.b.signal)
        self.a.fail(.bad)
        expect(r.events == events())
        self.b.fail(.e)
        expect(r.events == events(then: .failed(.e)))
    }

    @Test("C096 Switching ends when both the outer and the last inner signal have ended")
    func outerFirst() {
        let r = Recorder(self.outer.signal.switchToLatest())
        self.outer.send(self.a.signal)
        self.outer.complete()
        self.a.send(1)
        expect(r.events == events(1))
        self.a.complete()
        expect(r.events == events(1, then: .completed))
    }

    @Test("C097 Switching ends when the inner signal ends first")
    func innerFirst() {
        let r = Recorder(self.outer.signal.switchToLatest())
        self.outer.send(self.a.signal)
        self.a.complete()
        expect(r.events == events())
        self.outer.complete()
        expect(r.events == events(then: .completed))
    }

    @Test("Switching to endless synchronous signals is stopped by what is downstream")
    func endless() {
        let signal = Ints(values: [1, 2]).flatMap(.latest) { Ints(values: $0...) }
        expect(Recorder(signal.take(3)).events == events(1, 2, 3, then: .completed))
    }

    @Test("Switching from inside a handler drops what the old inner signal still sends")
    func reentrance() {
        let (outer, a, b, seen) = (self.outer, self.a, self.b, Log<Int>())
        outer.signal.switchToLatest().observe(
            value: { value in
                seen.append(value)
                guard value == 1 else { return }
                outer.send(b.signal.starting(with: 10))
                a.send(2)
            },
            end: { _ in }
        )
        outer.send(a.signal)
        a.send(1)
        b.send(11)
        expect(seen.entries == [1, 10, 11])
    }

    @Test("C099 If, then, else follows what the condition chooses")
    func condition() {
        let c = Subject<Bool, Never>()
        let (t, e) = (Subject<String, Never>(), Subject<String, Never>())
        let r = Recorder(Signal.if(c.signal, then: t.signal, else: e.signal))
        t.send("lost")
        c.send(true)
        t.send("t1")
        e.send("lost")
        c.send(false)
        t.send("lost")
        e.send("e1")
        expect(r.events == events("t1", "e1"))
    }

    @Test("C100 A key with no case and no default is a failure")
    func noCase() {
        let (k, z) = (Subject<Int, Never>(), Subject<String, Never>())
        let r = Recorder(Signal.switch(k.signal, cases: [0: z.signal]))
        k.send(0)
        z.send("z")
        k.send(5)
        z.send("late")
        expect(r.events == events("z", then: .failed(.noMatchingCase)))
    }

    @Test("A key with no case follows the default")
    func defaultCase() {
        let k = Signal<Int, Never>(values: [0, 5])
        let r = Recorder(Signal.switch(k, cases: [0: .just("z")], default: .just("default")))
        expect(r.events == events("z", "default", then: .completed))
    }

    @Test("A failure of the keys or of a case is distinguished from a missing case")
    func switchFailure() {
        let keys = Ints(values: [0]).concat(.never)
        let r = Recorder(Signal.switch(keys, cases: [0: Ints.fail(.e)]))
        expect(r.events == events(then: .failed(.failed(.e))))
    }
}

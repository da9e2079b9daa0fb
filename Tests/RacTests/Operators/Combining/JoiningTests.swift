import Expectations
import Rac
import RacTesting
import Testing

@Suite struct JoiningTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let s = Subject<Int, TestFailure>()
    private let t = Subject<Int, TestFailure>()

    @Test("C072 Merge interleaves and ends with the last")
    func merged() {
        let a = Recorder(merge(self.s.signal, self.t.signal))
        self.s.send(1)
        self.t.send(2)
        self.t.send(3)
        self.s.send(4)
        self.t.complete()
        expect(a.events == events(1, 2, 3, 4))
        self.s.complete()
        expect(a.events == events(1, 2, 3, 4, then: .completed))
    }

    @Test("C073 Merge fails at the first failure")
    func mergeFailure() {
        let a = Recorder(merge([self.s, self.t]))
        self.s.send(1)
        self.s.fail(.e)
        self.t.send(2)
        expect(a.events == events(1, then: .failed(.e)))
    }

    @Test("Merge of nothing completes, of one signal is that signal")
    func mergeFew() {
        expect(Recorder(merge([Ints]())).events == events(then: .completed))
        expect(Recorder(merge([Ints.just(1)])).events == events(1, then: .completed))
    }

    @Test("Members that come after one that fails at once are not observed")
    func mergeOrder() {
        let later = CountedSource(Ints.just(1))
        expect(Recorder(merge(.fail(.e), later.signal)).events == events(then: .failed(.e)))
        expect(later.runs.count == 0)
    }

    @Test("C077 Then drops the first signal's values")
    func then() {
        let a = Recorder(self.s.signal.then(Signal<String, TestFailure>.just("2")))
        self.s.send(1)
        expect(a.events == events())
        self.s.complete()
        expect(a.events == events("2", then: .completed))
    }

    @Test("Then does not observe the second signal after a failure")
    func thenFailure() {
        let second = CountedSource(Ints.just(2))
        expect(Recorder(Ints.fail(.e).then(second.signal)).events == events(then: .failed(.e)))
        expect(second.runs.count == 0)
    }

    @Test("C078 Take until ends at a value of the trigger")
    func takeUntilValue() {
        let (source, trigger) = (CountedSource(self.s), Subject<String, Never>())
        let a = Recorder(source.signal.take(until: trigger))
        self.s.send(1)
        trigger.send("stop")
        self.s.send(2)
        expect(a.events == events(1, then: .completed))
        expect(source.subscribers == 0)
    }

    @Test("C079 Take until ends when the trigger completes")
    func takeUntilCompletion() {
        let a = Recorder(self.s.signal.take(until: self.t))
        self.s.send(1)
        self.t.complete()
        self.s.send(2)
        expect(a.events == events(1, then: .completed))
    }

    @Test("A trigger that has ended keeps the source from being observed, one that fails is ignored")
    func takeUntilEdges() {
        let source = CountedSource(Ints.just(1))
        expect(Recorder(source.signal.take(until: Ints.empty)).events == events(then: .completed))
        expect(source.runs.count == 0)
        expect(Recorder(source.signal.take(until: Ints.fail(.e))).events == events(1, then: .completed))
        expect(Recorder(Ints.fail(.e).take(until: Ints.never)).events == events(then: .failed(.e)))
    }

    @Test("A trigger that is pulled from inside a handler ends after the value in hand")
    func takeUntilReentrance() {
        let (t, seen) = (self.t, Log<Int>())
        self.s.signal.take(until: t).observe(
            value: {
                t.send(0)
                seen.append($0)
            },
            end: { _ in seen.append(-1) }
        )
        self.s.send(1)
        expect(seen.entries == [1, -1])
    }

    @Test("C082 Take until replaced switches over for good")
    func takeUntilReplaced() {
        let source = CountedSource(self.s)
        let a = Recorder(source.signal.take(untilReplacedBy: self.t))
        self.s.send(1)
        self.t.send(3)
        self.s.send(4)
        self.t.send(5)
        expect(a.events == events(1, 3, 5))
        expect(source.subscribers == 0)
    }

    @Test("A source that may be replaced does not end the result by completing, only by failing")
    func takeUntilReplacedEdges() {
        let a = Recorder(self.s.signal.take(untilReplacedBy: self.t))
        self.s.complete()
        expect(a.events == events())
        self.t.complete()
        expect(a.events == events(then: .completed))
        expect(Recorder(Ints.fail(.e).take(untilReplacedBy: Ints.never)).events == events(then: .failed(.e)))
        let source = CountedSource(Ints.just(1))
        expect(Recorder(source.signal.take(untilReplacedBy: Ints.empty)).events == events(then: .completed))
        expect(source.runs.count == 0)
    }

    @Test("C085 Sample repeats the latest value on each tick")
    func sample() {
        let a = Recorder(self.s.signal.sample(on: self.t))
        self.t.send(0)
        self.s.send(1)
        self.s.send(2)
        self.t.send(0)
        self.s.send(3)
        self.t.send(0)
        self.t.send(0)
        expect(a.events == events(2, 3, 3))
    }

    @Test("A sampled signal ends with its source or with its sampler")
    func sampleEnd() {
        let (a, b) = (Recorder(self.s.signal.sample(on: Ints.never)), Recorder(Ints.never.sample(on: self.t)))
        self.s.fail(.e)
        self.t.complete()
        expect(a.events == events(then: .failed(.e)))
        expect(b.events == events(then: .completed))
    }
}

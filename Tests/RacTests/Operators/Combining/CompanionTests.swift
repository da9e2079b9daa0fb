import Expectations
import Rac
import RacTesting
import Testing

@Suite struct CompanionTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let s = Subject<Int, TestFailure>()
    private let t = Subject<Int, TestFailure>()

    private func sums(_ pairs: Signal<(Int, Int), TestFailure>) -> Signal<Int, TestFailure> {
        pairs.map { $0 + $1 }
    }

    @Test("C410 Each value comes with the latest value of another signal")
    func withLatest() {
        let a = Recorder(self.sums(self.s.signal.withLatest(from: self.t)))
        self.s.send(1)
        self.t.send(10)
        self.t.send(20)
        expect(a.events == events())
        self.s.send(2)
        self.s.send(3)
        self.t.complete()
        self.s.send(4)
        expect(a.events == events(22, 23, 24))
    }

    @Test("C411 The end of the source and a failure of the other signal end the result")
    func withLatestEnd() {
        let (source, other) = (CountedSource(self.s), CountedSource(self.t))
        let a = Recorder(self.sums(source.signal.withLatest(from: other)))
        self.t.send(10)
        self.s.complete()
        expect(a.events == events(then: .completed))
        expect(other.subscribers == 0)
        let b = Recorder(self.sums(Ints.never.withLatest(from: self.t)))
        self.t.fail(.e)
        expect(b.events == events(then: .failed(.e)))
        let behind = CountedSource(Ints.just(1))
        expect(Recorder(self.sums(behind.signal.withLatest(from: Ints.fail(.e)))).events == events(then: .failed(.e)))
        expect(behind.runs.count == 0)
    }

    @Test("The present value of a property is a companion from the start")
    func property() {
        let unit = Property("m")
        let a = Recorder(Signal<Int, TestFailure>(values: 1...2).withLatest(from: unit).map { "\($0)\($1)" })
        expect(a.events == events("1m", "2m", then: .completed))
    }

    @Test("A companion that is sent from inside a handler counts for the next value")
    func withLatestReentrance() {
        let (t, seen) = (self.t, Log<Int>())
        self.s.signal.withLatest(from: t).observe(
            value: {
                t.send(0)
                seen.append($1)
            },
            end: { _ in }
        )
        t.send(5)
        self.s.send(1)
        self.s.send(2)
        expect(seen.entries == [5, 0])
    }

    @Test("Disposal reaches a signal and its companion")
    func disposal() {
        let (source, other) = (CountedSource(self.s), CountedSource(self.t))
        let a = Recorder(self.sums(source.signal.withLatest(from: other)))
        expect(source.subscribers == 1)
        expect(other.subscribers == 1)
        a.dispose()
        expect(source.subscribers == 0)
        expect(other.subscribers == 0)
    }

    @Test("C412 Skip until lets values pass from a value of the trigger on")
    func skipUntil() {
        let trigger = CountedSource(self.t)
        let a = Recorder(self.s.signal.skip(until: trigger))
        self.s.send(1)
        self.t.send(0)
        expect(trigger.subscribers == 0)
        self.s.send(2)
        self.s.send(3)
        self.s.complete()
        expect(a.events == events(2, 3, then: .completed))
    }

    @Test("A trigger that completes lets values pass, one that fails never does, and the end always passes")
    func skipUntilEdges() {
        expect(Recorder(Ints.just(1).skip(until: Ints.empty)).events == events(1, then: .completed))
        expect(Recorder(Ints.just(1).skip(until: Ints.fail(.e))).events == events(then: .completed))
        expect(Recorder(Ints.just(1).skip(until: Ints.never)).events == events(then: .completed))
        expect(Recorder(Ints.fail(.e).skip(until: Ints.never)).events == events(then: .failed(.e)))
    }

    @Test("Disposal reaches the trigger of skip until, and so does the end of the source")
    func skipUntilDisposal() {
        let (source, trigger) = (CountedSource(self.s), CountedSource(self.t))
        let a = Recorder(source.signal.skip(until: trigger))
        a.dispose()
        expect(source.subscribers == 0)
        expect(trigger.subscribers == 0)
        let b = Recorder(source.signal.skip(until: trigger))
        self.s.complete()
        expect(trigger.subscribers == 0)
        expect(b.events == events(then: .completed))
    }
}

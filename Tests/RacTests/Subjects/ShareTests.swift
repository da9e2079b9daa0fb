import Expectations
import Rac
import RacTesting
import Testing

@Suite struct ShareTests {
    private let s = Subject<Int, TestFailure>()

    @Test("C420 All observers at a time share one run")
    func share() {
        let source = CountedSource(self.s)
        let shared = source.signal.share()
        expect(source.runs.count == 0)
        let a = Recorder(shared)
        self.s.send(1)
        let b = Recorder(shared)
        self.s.send(2)
        expect(source.runs.count == 1)
        expect(a.events == events(1, 2))
        expect(b.events == events(2))
        a.dispose()
        expect(source.subscribers == 1)
        b.dispose()
        expect(source.subscribers == 0)
    }

    @Test("C421 The first observer after the last has left, or after the end, starts a new run")
    func anew() {
        let source = CountedSource(Signal<Int, TestFailure>.just(1).concat(self.s.signal))
        let shared = source.signal.share()
        let a = Recorder(shared)
        a.dispose()
        let b = Recorder(shared)
        expect(source.runs.count == 2)
        expect(a.events == events(1))
        expect(b.events == events(1))
        self.s.fail(.e)
        expect(b.events == events(1, then: .failed(.e)))
        expect(Recorder(shared).events == events(1, then: .failed(.e)))
        expect(source.runs.count == 3)
        expect(source.subscribers == 0)
    }

    @Test("The first observer misses no value that the source sends at once")
    func synchronous() {
        let shared = Signal<Int, TestFailure>(values: 1...3).share()
        expect(Recorder(shared).events == events(1, 2, 3, then: .completed))
        expect(Recorder(shared).events == events(1, 2, 3, then: .completed))
    }

    @Test("C422 A shared run replays its last values to late observers, and only those of that run")
    func replaying() {
        let shared = self.s.signal.share(replaying: 1)
        let a = Recorder(shared)
        self.s.send(1)
        self.s.send(2)
        let b = Recorder(shared)
        self.s.send(3)
        expect(a.events == events(1, 2, 3))
        expect(b.events == events(2, 3))
        a.dispose()
        b.dispose()
        let c = Recorder(shared)
        expect(c.events == events())
        self.s.send(4)
        expect(c.events == events(4))
    }

    @Test("Retrying a shared signal runs the source again")
    func retry() {
        let runs = Counter()
        let source = Signal<Int, TestFailure> { sink in
            sink.send(runs.increment())
            sink.fail(.e)
        }
        expect(Recorder(source.share().retry(upTo: 1)).events == events(1, 2, then: .failed(.e)))
    }

    @Test("An observer that comes from inside a delivery joins the run")
    func reentrance() {
        let source = CountedSource(self.s)
        let shared = source.signal.share()
        let inner = Recorder<Int, TestFailure>()
        shared.observe { event in
            if event == .value(1) { inner.observe(shared) }
        }
        self.s.send(1)
        self.s.send(2)
        expect(source.runs.count == 1)
        expect(inner.events == events(2))
    }

    @Test("A run that can send no more holds neither its observers nor its values")
    func release() {
        let living = Counter()
        var source: Subject<Int, Never>? = Subject()
        let shared = source.map { $0.signal.share(replaying: .unlimited) }
        let token = Token(living)
        let handle = shared?.onValue { [token] _ in token.use() }
        _ = consume token
        source?.send(1)
        source = nil
        expect(handle?.isDisposed == true)
        expect(living.count == 0)
    }
}

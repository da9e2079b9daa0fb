import Expectations
import Rac
import RacTesting
import Testing

@Suite struct ZipTests {
    private let a = Subject<Int, TestFailure>()
    private let b = Subject<String, TestFailure>()

    /// The zipped subjects, each pair as a text, so that events can be compared.
    private var zipped: Signal<String, TestFailure> {
        zip(self.a.signal, self.b.signal).map { "\($0)\($1)" }
    }

    @Test("C055 Zip pairs by position")
    func position() {
        let r = Recorder(self.zipped)
        self.a.send(1)
        self.a.send(2)
        self.b.send("x")
        expect(r.events == events("1x"))
        self.b.send("y")
        expect(r.events == events("1x", "2y"))
    }

    @Test("C056 Zip ends as soon as no further pair is possible")
    func end() {
        let r = Recorder(self.zipped)
        self.a.send(1)
        self.a.complete()
        expect(r.events == events())
        self.b.send("x")
        expect(r.events == events("1x", then: .completed))
    }

    @Test("An empty member ends a zip at once")
    func emptyMember() {
        let other = CountedSource(self.b)
        let r = Recorder(zip(Signal<Int, TestFailure>.empty, other.signal).map { $0.0 })
        expect(r.events == events(then: .completed))
        expect(other.subscribers == 0)
    }

    @Test("C058 A failure does not wait for queued values")
    func failure() {
        let r = Recorder(self.zipped)
        self.a.send(1)
        self.a.send(2)
        self.a.fail(.e)
        self.b.send("x")
        expect(r.events == events(then: .failed(.e)))
    }

    @Test("C061 A zip of no sources completes")
    func none() {
        expect(Recorder(zip([Signal<Int, Never>]())).events == events(then: .completed))
    }

    @Test("C062 A zip of one source gives arrays of one value")
    func one() {
        let r = Recorder(zip([self.a]))
        self.a.send(1)
        expect(r.events == events([1]))
        self.a.complete()
        expect(r.events == events([1], then: .completed))
    }

    @Test("A zip of three types can make one value of each row")
    func three() {
        let c = Signal<Bool, TestFailure>(values: [true, false])
        let r = Recorder(zip(Signal(values: [1, 2, 3]), Signal(values: ["x", "y"]), c) { "\($0)\($1)\($2)" })
        expect(r.events == events("1xtrue", "2yfalse", then: .completed))
    }

    @Test("A signal that is given twice is observed twice")
    func twice() {
        let source = CountedSource(Signal<Int, Never>(values: [1, 2]))
        let r = Recorder(zip(source.signal, source.signal) { $0 * 10 + $1 })
        expect(r.events == events(11, 22, then: .completed))
        expect(source.runs.count == 2)
    }

    @Test("Values sent from inside a handler pair up after it")
    func reentrance() {
        let (a, log) = (Subject<Int, Never>(), Log<String>())
        zip(a.signal, a.signal.map { -$0 }) { ($0, $1) }.onValue { left, right in
            log.append("in \(left) \(right)")
            if left < 3 { a.send(left + 1) }
            log.append("out")
        }
        a.send(1)
        expect(log.entries == ["in 1 -1", "out", "in 2 -2", "out", "in 3 -3", "out"])
    }

    @Test("Disposal reaches all members, and many members use little stack")
    func many() {
        let sources = (0..<1_000).map { _ in CountedSource(Subject<Int, Never>()) }
        let r = Recorder(zip(sources.map(\.signal)))
        #expect(sources.allSatisfy { $0.subscribers == 1 })
        r.dispose()
        #expect(sources.allSatisfy { $0.subscribers == 0 })
        let row = Recorder(zip((0..<1_000).map { Signal<Int, Never>.just($0) }))
        expect(row.events == events(Array(0..<1_000), then: .completed))
    }
}

import Expectations
import Rac
import RacTesting
import Testing

@Suite struct CombineLatestTests {
    private let a = Subject<Int, TestFailure>()
    private let b = Subject<Int, TestFailure>()

    /// The two ways to combine, each with pairs as arrays.
    private static let ways:
        [@Sendable (Subject<Int, TestFailure>, Subject<Int, TestFailure>) -> Signal<[Int], TestFailure>] =
            [
                { combineLatest($0.signal, $1.signal).map { [$0, $1] } },
                { combineLatest($0.signal, $1.signal) { [$0, $1] } },
                { combineLatest([$0, $1]) },
            ]

    @Test("C064 Combine latest waits for both, then updates on either", arguments: 0..<3)
    func updates(way: Int) {
        let r = Recorder(Self.ways[way](self.a, self.b))
        self.a.send(1)
        expect(r.events == events())
        self.b.send(2)
        self.a.send(3)
        self.b.send(4)
        expect(r.events == events([1, 2], [3, 2], [3, 4]))
    }

    @Test("C065 A finished member keeps contributing its last value", arguments: 0..<3)
    func finished(way: Int) {
        let r = Recorder(Self.ways[way](self.a, self.b))
        self.a.send(1)
        self.a.complete()
        self.b.send(2)
        self.b.send(3)
        expect(r.events == events([1, 2], [1, 3]))
        self.b.complete()
        expect(r.events == events([1, 2], [1, 3], then: .completed))
    }

    @Test("C067 Any failure ends combine latest", arguments: 0..<3)
    func failure(way: Int) {
        let r = Recorder(Self.ways[way](self.a, self.b))
        self.a.send(1)
        self.b.fail(.e)
        self.a.send(2)
        expect(r.events == events(then: .failed(.e)))
    }

    @Test("C068 Combine latest of no sources completes without a value")
    func none() {
        expect(Recorder(combineLatest([Signal<Int, Never>]())).events == events(then: .completed))
    }

    @Test("Combine latest of no sources can have a value for that")
    func whenEmpty() {
        let r = Recorder(combineLatest([Signal<Int, Never>](), whenEmpty: []))
        expect(r.events == events([], then: .completed))
        let one = Recorder(combineLatest([Signal<Int, Never>.just(1)], whenEmpty: []))
        expect(one.events == events([1], then: .completed))
    }

    @Test("A member that completes without a value keeps the result silent until all have ended", arguments: 0..<3)
    func emptyMember(way: Int) {
        let r = Recorder(Self.ways[way](self.a, self.b))
        self.a.complete()
        self.b.send(1)
        expect(r.events == events())
        self.b.complete()
        expect(r.events == events(then: .completed))
    }

    @Test("Only the last value of an earlier synchronous member is seen")
    func synchronous() {
        let r = Recorder(combineLatest([Signal<Int, Never>(values: [1, 2]), Signal(values: [10, 20])]))
        expect(r.events == events([2, 10], [2, 20], then: .completed))
    }

    @Test("Nil is a value")
    func optional() {
        let source = Signal<Int?, Never>(values: [nil, 1])
        let pair = Recorder(combineLatest(source, source) { [$0, $1] })
        expect(pair.events == events([1, nil], [1, 1], then: .completed))
        expect(Recorder(combineLatest([source, source])).events == events([1, nil], [1, 1], then: .completed))
    }

    @Test("A member that fails at once keeps later ones from being observed")
    func failingMember() {
        let later = CountedSource(Signal<Int, TestFailure>.just(1))
        let r = Recorder(combineLatest([.fail(.e), later.signal]))
        expect(r.events == events(then: .failed(.e)))
        expect(later.runs.count == 0)
    }

    @Test("Values sent from inside a handler are combined after it", arguments: 0..<3)
    func reentrance(way: Int) {
        let (a, log) = (self.a, Log<String>())
        Self.ways[way](self.a, self.b).observe(
            value: { values in
                log.append("in \(values)")
                if values[0] < 3 { a.send(values[0] + 1) }
                log.append("out")
            },
            end: { _ in }
        )
        self.a.send(1)
        self.b.send(0)
        expect(log.entries == ["in [1, 0]", "out", "in [2, 0]", "out", "in [3, 0]", "out"])
    }

    @Test("An observer may keep the arrays that it is sent")
    func kept() {
        let r = Recorder(combineLatest([self.a, self.b]))
        self.b.send(0)
        for value in 1...3 { self.a.send(value) }
        expect(r.values == [[1, 0], [2, 0], [3, 0]])
    }

    @Test("Disposal reaches all members, and many members use little stack")
    func many() {
        let subjects = (0..<1_000).map { _ in Subject<Int, Never>() }
        let sources = subjects.map { CountedSource($0) }
        let r = Recorder(combineLatest(sources.map(\.signal)).map { $0.reduce(0, +) })
        for subject in subjects { subject.send(1) }
        subjects[7].send(2)
        expect(r.events == events(1_000, 1_001))
        r.dispose()
        #expect(sources.allSatisfy { $0.subscribers == 0 })
    }
}

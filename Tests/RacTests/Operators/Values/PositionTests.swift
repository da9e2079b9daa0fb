import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PositionTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let s = Subject<Int, TestFailure>()

    @Test("C401 The value at a position ends the result and disposes the source")
    func element() {
        let source = CountedSource(self.s)
        let a = Recorder(source.signal.element(at: 1))
        self.s.send(7)
        expect(a.events == events())
        self.s.send(8)
        self.s.send(9)
        expect(a.events == events(8, then: .completed))
        expect(source.subscribers == 0)
    }

    @Test("A source with too few values has none at the position, and its failure passes")
    func elementEdges() {
        expect(Recorder(Ints.just(1).element(at: 1)).events == events(then: .completed))
        expect(Recorder(Ints.just(1).element(at: 0)).events == events(1, then: .completed))
        expect(Recorder(Ints.fail(.e).element(at: 0)).events == events(then: .failed(.e)))
    }

    @Test("A source that is fed by the value at a position gives no second one")
    func elementReentrance() {
        let (s, seen) = (self.s, Log<Int>())
        s.signal.element(at: 0).observe(
            value: { value in
                seen.append(value)
                if value < 3 { s.send(value + 1) }
            },
            end: { _ in }
        )
        s.send(1)
        expect(seen.entries == [1])
    }

    @Test("C402 Each value comes with its position, anew for each observer")
    func enumerated() {
        let pairs = Signal<String, TestFailure>(values: ["a", "b"]).enumerated().map { "\($0.offset)\($0.element)" }
        expect(Recorder(pairs).events == events("0a", "1b", then: .completed))
        expect(Recorder(pairs).events == events("0a", "1b", then: .completed))
        expect(Recorder(Ints.fail(.e).enumerated().map(\.offset)).events == events(then: .failed(.e)))
    }

    @Test("C403 The count of values comes at completion")
    func count() {
        let a = Recorder(self.s.signal.count())
        self.s.send(5)
        self.s.send(5)
        expect(a.events == events())
        self.s.complete()
        expect(a.events == events(2, then: .completed))
        expect(Recorder(Ints.empty.count()).events == events(0, then: .completed))
        expect(Recorder(Ints.just(1).concat(.fail(.e)).count()).events == events(then: .failed(.e)))
    }

    @Test("C404 The least and the greatest value come at completion")
    func extremes() {
        let values = Ints(values: [3, 1, 4, 1, 5])
        expect(Recorder(values.min()).events == events(1, then: .completed))
        expect(Recorder(values.max()).events == events(5, then: .completed))
        expect(Recorder(Ints.empty.max()).events == events(then: .completed))
        expect(Recorder(values.concat(.fail(.e)).min()).events == events(then: .failed(.e)))
    }

    @Test("The first of equal values is the least, and the greatest, too")
    func equals() {
        let words = Signal<String, Never>(values: ["aa", "b", "c", "dd"])
        expect(Recorder(words.min { $0.count < $1.count }).values == ["b"])
        expect(Recorder(words.max { $0.count < $1.count }).values == ["aa"])
    }

    @Test("C405 Values are gathered in arrays of a number, and completion sends the rest")
    func collectCount() {
        let a = Recorder(self.s.signal.collect(count: 2))
        for value in 1...3 { self.s.send(value) }
        expect(a.events == events([1, 2]))
        self.s.complete()
        expect(a.events == events([1, 2], [3], then: .completed))
        expect(Recorder(Ints.empty.collect(count: 2)).events == events(then: .completed))
        expect(Recorder(Ints(values: 1...2).collect(count: 2)).events == events([1, 2], then: .completed))
    }

    @Test("A failure drops gathered values, and a value that is sent meanwhile begins the next array")
    func collectCountEdges() {
        let failing = Ints(values: 1...3).concat(.fail(.e))
        expect(Recorder(failing.collect(count: 2)).events == events([1, 2], then: .failed(.e)))
        let (s, seen) = (self.s, Log<[Int]>())
        s.signal.collect(count: 2).observe(
            value: { array in
                seen.append(array)
                if array == [1, 2] { s.send(3) }
            },
            end: { _ in }
        )
        for value in [1, 2, 4] { s.send(value) }
        expect(seen.entries == [[1, 2], [3, 4]])
    }
}

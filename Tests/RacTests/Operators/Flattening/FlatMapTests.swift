import Expectations
import Rac
import RacTesting
import Testing

@Suite struct FlatMapTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let outer = Subject<Int, TestFailure>()
    private let inners = (0..<3).map { _ in Subject<Int, TestFailure>() }
    private let started = Log<Int>()

    /// The outer signal's numbers as the inner signals of these numbers, whose starts are logged.
    private func flattened(_ strategy: FlattenStrategy) -> Signal<Int, TestFailure> {
        let (inners, started) = (self.inners, self.started)
        return self.outer.signal.map { number in
            Ints.deferred {
                started.append(number)
                return inners[number].signal
            }
        }.flatten(strategy)
    }

    @Test("C087 A merging flatten passes all inner values and ends with the last inner signal")
    func merge() {
        let a = Recorder(self.flattened(.merge))
        self.outer.send(0)
        self.outer.send(1)
        self.inners[0].send(1)
        self.inners[1].send(2)
        self.inners[0].send(3)
        self.outer.complete()
        self.inners[0].complete()
        expect(a.events == events(1, 2, 3))
        self.inners[1].complete()
        expect(a.events == events(1, 2, 3, then: .completed))
    }

    @Test("C088 An inner completion alone does not end the result")
    func innerCompletion() {
        let a = Recorder(self.flattened(.merge))
        self.outer.send(0)
        self.inners[0].complete()
        expect(a.events == events())
        self.outer.complete()
        expect(a.events == events(then: .completed))
    }

    @Test("C091 Flattening one at a time queues and keeps order", arguments: [FlattenStrategy.concat, .concurrent(1)])
    func oneAtATime(strategy: FlattenStrategy) {
        let a = Recorder(self.flattened(strategy))
        self.outer.send(0)
        self.outer.send(1)
        self.inners[0].send(1)
        self.outer.send(2)
        self.outer.complete()
        expect(self.started.entries == [0])
        self.inners[0].complete()
        expect(self.started.entries == [0, 1])
        self.inners[1].send(2)
        self.inners[1].complete()
        self.inners[2].send(3)
        self.inners[2].complete()
        expect(a.events == events(1, 2, 3, then: .completed))
    }

    @Test("C092 Flattening two at a time starts the third when one of them completes")
    func twoAtATime() {
        let a = Recorder(self.flattened(.concurrent(2)))
        for number in 0...2 { self.outer.send(number) }
        expect(self.started.entries == [0, 1])
        self.inners[1].complete()
        expect(self.started.entries == [0, 1, 2])
        expect(a.events == events())
    }

    @Test("Any failure ends a flattened signal and disposes the rest")
    func failure() {
        let (first, second) = (CountedSource(self.inners[0]), CountedSource(self.inners[1]))
        let outer = CountedSource(self.outer)
        let a = Recorder(outer.signal.flatMap(.merge) { $0 == 0 ? first.signal : second.signal })
        self.outer.send(0)
        self.outer.send(1)
        self.inners[1].fail(.e)
        expect(a.events == events(then: .failed(.e)))
        expect(first.subscribers + second.subscribers + outer.subscribers == 0)
    }

    @Test("Many synchronous inner signals, one after the other, do not use up the stack")
    func depth() {
        let inner = Subject<Int, TestFailure>()
        let seen = Counter()
        self.outer.signal.flatMap(.concat) { $0 == 0 ? inner.signal : .just($0) }.observe { _ in seen.increment() }
        for number in 0...50_000 { self.outer.send(number) }
        expect(seen.count == 0)
        inner.complete()
        expect(seen.count == 50_000)
    }
}

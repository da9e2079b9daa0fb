import Expectations
import Rac
import RacTesting
import Testing

@Suite struct RaceTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let s = Subject<Int, TestFailure>()
    private let t = Subject<Int, TestFailure>()

    @Test("C413 A race follows the first to send, and disposes the others")
    func race() {
        let (first, second) = (CountedSource(self.s), CountedSource(self.t))
        let a = Recorder(Rac.race([first, second]))
        self.t.send(1)
        expect(first.subscribers == 0)
        self.s.send(2)
        self.t.send(3)
        self.t.complete()
        expect(a.events == events(1, 3, then: .completed))
    }

    @Test("C414 An end wins a race, too")
    func end() {
        let a = Recorder(Rac.race(self.s.signal, self.t.signal))
        self.s.fail(.e)
        self.t.send(1)
        expect(a.events == events(then: .failed(.e)))
        expect(Recorder(Ints.never.race(with: Ints.empty)).events == events(then: .completed))
    }

    @Test("Members behind one that sends at once are not observed, and a race of nobody completes")
    func few() {
        let later = CountedSource(Ints.just(2))
        expect(Recorder(Ints.just(1).race(with: later)).events == events(1, then: .completed))
        expect(later.runs.count == 0)
        expect(Recorder(Rac.race([Ints]())).events == events(then: .completed))
    }

    @Test("A loser that sends while the winner's value is handled is not heard")
    func reentrance() {
        let (t, a) = (self.t, Log<Int>())
        Rac.race(self.s.signal, t.signal).observe(
            value: {
                a.append($0)
                t.send(9)
            },
            end: { _ in }
        )
        self.s.send(1)
        self.s.send(2)
        expect(a.entries == [1, 2])
    }

    @Test("Disposal reaches all members of a race")
    func disposal() {
        let (first, second) = (CountedSource(self.s), CountedSource(self.t))
        let a = Recorder(first.signal.race(with: second))
        a.dispose()
        expect(first.subscribers == 0)
        expect(second.subscribers == 0)
    }
}

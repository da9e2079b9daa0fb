import Expectations
import Rac
import RacTesting
import Testing

@Suite struct BasicOperatorTests {
    @Test("C014 Map passes on what the function makes of each value")
    func map() {
        let a = Recorder(Signal<Int, Never>(values: [1, 2, 3]).map { $0 + 10 })
        expect(a.events == events(11, 12, 13, then: .completed))
    }

    @Test("C015 Filter passes on the values that pass the test")
    func filter() {
        let a = Recorder(Signal<Int, Never>(values: 0...6).filter { $0.isMultiple(of: 2) })
        expect(a.events == events(0, 2, 4, 6, then: .completed))
    }

    @Test("C018 Taking fewer values than there are completes early")
    func takeFewer() {
        let source = Signal<Int, TestFailure>(values: [1, 2, 3]).concat(.fail(.e))
        expect(Recorder(source.take(2)).events == events(1, 2, then: .completed))
    }

    @Test("C019 Taking more values than there are passes the source's end")
    func takeMore() {
        let a = Recorder(Signal<Int, Never>(values: [1, 2]).take(5))
        expect(a.events == events(1, 2, then: .completed))
    }

    @Test("C020 Taking no values never touches the source")
    func takeNone() {
        let source = CountedSource(Signal<Int, Never>.just(1))
        expect(Recorder(source.signal.take(0)).events == events(then: .completed))
        expect(source.runs.count == 0)
    }

    @Test("C021 Take cancels a source that would go on")
    func takeCancels() {
        let box = SinkBox<Int, Never>()
        let a = Recorder(box.signal.take(1))
        box.sinks[0].send(9)
        box.sinks[0].send(10)
        expect(a.events == events(9, then: .completed))
        expect(box.teardowns.count == 1)
    }

    @Test("Take stops an endless synchronous source")
    func takeStopsEndless() {
        let a = Recorder(Signal<Int, Never>(values: 0...).map { $0 * 2 }.take(3))
        expect(a.events == events(0, 2, 4, then: .completed))
    }

    @Test("Take fed by its own output passes no more than it should")
    func takeFedByItself() {
        let (box, seen) = (SinkBox<Int, Never>(), Log<Int>())
        box.signal.take(2).onValue { value in
            seen.append(value)
            box.sinks[0].send(value + 1)
        }
        box.sinks[0].send(1)
        expect(seen.entries == [1, 2])
    }

    @Test("C023 Skip leaves out the first values")
    func skip() {
        let a = Recorder(Signal<Int, Never>(values: [1, 2, 3]).skip(2))
        expect(a.events == events(3, then: .completed))
    }

    @Test("C024 Skipping more than there is leaves the end")
    func skipAll() {
        let a = Recorder(Signal<Int, Never>(values: [1, 2]).skip(5))
        expect(a.events == events(then: .completed))
    }

    @Test("Each subscription counts for itself")
    func freshState() {
        let signal = Signal<Int, Never>(values: [1, 2, 3]).skip(1).take(1)
        for _ in 1...2 {
            expect(Recorder(signal).events == events(2, then: .completed))
        }
    }

    @Test("C075 Concat starts the second signal only after the first has completed")
    func concat() {
        let first = Subject<Int, Never>()
        let second = CountedSource(Signal<Int, Never>(values: [2, 3]))
        let a = Recorder(first.signal.concat(second.signal))
        first.send(1)
        expect(second.runs.count == 0)
        first.complete()
        expect(a.events == events(1, 2, 3, then: .completed))
    }

    @Test("Concat does not observe the second signal if the first fails or is disposed")
    func concatFailure() {
        let second = CountedSource(Signal<Int, TestFailure>.just(2))
        let failed = Recorder(Signal<Int, TestFailure>.fail(.e).concat(second.signal))
        expect(failed.events == events(then: .failed(.e)))
        let first = Subject<Int, TestFailure>()
        Recorder(first.signal.concat(second.signal)).dispose()
        first.complete()
        expect(second.runs.count == 0)
    }
}

import Expectations
import Rac
import RacTesting
import Testing

@Suite struct FailureTests {
    private typealias Ints = Signal<Int, TestFailure>

    /// A source that sends the number of its run and fails until a given run.
    private func failing(_ runs: Counter, until lucky: Int = .max) -> Signal<Int, TestFailure> {
        Signal { sink in
            let run = runs.increment()
            sink.send(run)
            if run < lucky { sink.fail(.e) } else { sink.complete() }
        }
    }

    @Test("C053 Validate ends with the first refusal")
    func validate() {
        let signal = Signal<String, TestFailure>(values: ["a", "b", "", "c"]).validate { text throws(TestFailure) in
            if text.isEmpty { throw .bad }
        }
        expect(Recorder(signal).events == events("a", "b", then: .failed(.bad)))
    }

    @Test("Try map ends with what its function throws")
    func tryMap() {
        let signal = Signal<String, TestFailure>(values: ["1", "x", "2"]).tryMap { text throws(TestFailure) -> Int in
            guard let number = Int(text) else { throw .bad }
            return number
        }
        expect(Recorder(signal).events == events(1, then: .failed(.bad)))
    }

    @Test("An attempt sends what its function returns, or fails with what it throws")
    func attempt() {
        let runs = Counter()
        let signal = Ints.attempt { () throws(TestFailure) in
            if runs.increment() == 2 { throw .e }
            return runs.count
        }
        expect(runs.count == 0)
        expect(Recorder(signal).events == events(1, then: .completed))
        expect(Recorder(signal).events == events(then: .failed(.e)))
    }

    @Test("C102 Catch goes on with the replacement")
    func catchFailure() {
        let s = Subject<Int, TestFailure>()
        let a = Recorder(s.signal.catch { _ in Signal<Int, Never>(values: [41, 42]) })
        s.send(1)
        s.fail(.e)
        expect(a.events == events(1, 41, 42, then: .completed))
    }

    @Test("C103 Catching to an empty signal turns failure into completion")
    func catchToEmpty() {
        let source = Ints.just(1).concat(.fail(.e))
        expect(Recorder(source.catch(to: Signal<Int, Never>.empty)).events == events(1, then: .completed))
    }

    @Test("A failure of the replacement is not caught again, and disposal reaches it")
    func catchReplacement() {
        expect(Recorder(Ints.fail(.e).catch(to: Ints.fail(.bad))).events == events(then: .failed(.bad)))
        let replacement = CountedSource(Subject<Int, TestFailure>())
        let a = Recorder(Ints.fail(.e).catch(to: replacement.signal))
        expect(replacement.subscribers == 1)
        a.dispose()
        expect(replacement.subscribers == 0)
    }

    @Test("C407 A value in place of a failure completes the result, which cannot fail")
    func replaceError() {
        let a: Recorder<Int, Never> = Recorder(Ints.just(1).concat(.fail(.e)).replaceError(with: 9))
        expect(a.events == events(1, 9, then: .completed))
        expect(Recorder(Ints.just(1).replaceError(with: 9)).events == events(1, then: .completed))
    }

    @Test("C106 Retry runs the source a limited number of times")
    func retryLimited() {
        let runs = Counter()
        expect(Recorder(self.failing(runs).retry(upTo: 2)).events == events(1, 2, 3, then: .failed(.e)))
        expect(runs.count == 3)
    }

    @Test("C106 Retry on a scheduler takes a turn per run")
    func retryScheduled() {
        let (runs, scheduler) = (Counter(), ManualScheduler())
        let a = Recorder(self.failing(runs).retry(upTo: 2, on: scheduler))
        expect(runs.count == 0)
        scheduler.step()
        expect(a.events == events(1))
        scheduler.drain()
        expect(a.events == events(1, 2, 3, then: .failed(.e)))
    }

    @Test("C107 Retry without limit goes on until success")
    func retry() {
        expect(Recorder(self.failing(Counter(), until: 4).retry()).events == events(1, 2, 3, 4, then: .completed))
    }

    @Test("C108 Repeating observes the source again after completion, until disposal")
    func repeated() {
        let source = CountedSource(Signal<String, Never>.just("x"))
        expect(Recorder(source.signal.repeated().take(3)).events == events("x", "x", "x", then: .completed))
        expect(source.runs.count == 3)
        expect(source.subscribers == 0)
    }

    @Test("A failure ends a repeated signal")
    func repeatedFailure() {
        expect(Recorder(Ints.just(1).concat(.fail(.e)).repeated()).events == events(1, then: .failed(.e)))
    }

    @Test("Many synchronous runs do not use up the stack")
    func depth() {
        let runs = Counter()
        let a = Recorder(self.failing(runs, until: 100_000).retry().take(last: 1))
        expect(a.events == events(100_000, then: .completed))
    }

    @Test("Disposal stops repeating and retrying")
    func disposal() {
        let (scheduler, runs) = (ManualScheduler(), Counter())
        let a = Recorder(self.failing(runs).retry(on: scheduler))
        scheduler.step()
        a.dispose()
        scheduler.drain()
        expect(runs.count == 1)
    }

    @Test("A failure can be mapped to another error")
    func mapFailure() {
        let a = Recorder(Ints.just(1).concat(.fail(.e)).mapFailure { _ in TestFailure.bad })
        expect(a.events == events(1, then: .failed(.bad)))
        let b = Recorder(Signal<Int, Never>.just(1).setFailureType(to: TestFailure.self).concat(.fail(.e)))
        expect(b.events == events(1, then: .failed(.e)))
    }
}

import Expectations
import Rac
import RacTesting
import Testing

@Suite struct EffectTests {
    private let log = Log<String>()

    @Test("C045 Side effects come before the observer hears")
    func on() {
        let log = self.log
        Signal<Int, Never>.just(1)
            .on(value: { log.append("do:\($0)") }, completed: { log.append("do:done") })
            .observe(value: { log.append("A:\($0)") }, end: { _ in log.append("A:done") })
        expect(log.entries == ["do:1", "A:1", "do:done", "A:done"])
    }

    @Test("A failure has a side effect of its own")
    func onFailure() {
        let log = self.log
        Signal<Int, TestFailure>.fail(.e).on(failed: { log.append("do:\($0)") }, completed: { log.append("done") })
            .observe { _ in log.append("A") }
        expect(log.entries == ["do:e", "A"])
    }

    @Test("The outermost of several initial hooks runs first, and all run before the body")
    func initially() {
        let log = self.log
        let signal = Signal<Int, Never>.deferred {
            log.append("body")
            return .empty
        }.initially { log.append("inner") }.initially { log.append("outer") }
        signal.observe { _ in log.append("done") }
        expect(log.entries == ["outer", "inner", "body", "done"])
    }

    @Test("A final hook runs at either end before the observer hears, and not on disposal")
    func finally() {
        let (log, s) = (self.log, Subject<Int, TestFailure>())
        let signal = s.signal.finally { log.append("finally") }
        Recorder(signal).dispose()
        Recorder(signal.take(1)).dispose()
        signal.observe(value: { _ in }, end: { _ in log.append("A") })
        s.fail(.e)
        expect(log.entries == ["finally", "A"])
    }

    @Test("A final hook does not run when something downstream ends first")
    func finallyUpstream() {
        let log = self.log
        Signal<Int, Never>(values: [1, 2]).finally { log.append("finally") }.take(1).observe { _ in }
        expect(log.entries == [])
    }

    @Test("A logged signal writes a line per event")
    func logged() {
        let log = self.log
        Signal<Int, TestFailure>.just(1).concat(.fail(.e)).logged(as: "s") { log.append($0) }.observe { _ in }
        expect(log.entries == ["s next: 1", "s error: e"])
    }
}

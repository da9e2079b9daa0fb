import Expectations
import Rac
import RacTesting
import Testing

/// The examples of the articles about commands.
@Suite struct CommandArticleTests {
    private typealias Ints = Signal<Int, TestFailure>

    private let scheduler = ManualScheduler()

    @Test("C296 Three executions, each after the last has finished")
    func oneAfterTheOther() {
        let command = Command<Int, Int, TestFailure>(on: self.scheduler) { Ints(values: 0..<$0) }
        let a = Recorder(command.executions.switchToLatest())
        for number in 1...3 {
            command.execute(number)
            self.scheduler.drain()
        }
        expect(a.events == events(0, 0, 1, 0, 1, 2))
    }

    @Test("C297 Three executions in a row: only the first gets in, and errors says nothing about the others")
    func inARow() {
        let command = Command<Int, Int, TestFailure>(on: self.scheduler) { Ints(values: 0..<$0) }
        let (a, errors) = (Recorder(command.executions.switchToLatest()), Recorder(command.errors))
        let returned = (1...3).map { Recorder(command.execute($0)) }
        self.scheduler.drain()
        expect(a.events == events(0))
        expect(errors.events == events())
        expect(returned[0].events == events(0, then: .completed))
        expect(returned[1].events == events(then: .failed(.notEnabled)))
        expect(returned[2].events == events(then: .failed(.notEnabled)))
    }

    /// The button article's command, whose work ends as `ending` says, and what is logged when it is executed.
    private func logOfButton(ending: Ending<TestFailure>) -> [String] {
        let log = Log<String>()
        let command = Command<Void, String, TestFailure>(on: self.scheduler) {
            log.append("pressed")
            return Signal { sink in
                sink.send("111111")
                sink.end(ending)
                log.append("signal-done")
            }
            .initially { log.append("initially") }
            .finally { log.append("finally") }
        }
        command.executions.flatten(.merge).onValue { log.append("next \($0)") }
        command.errors.onValue { log.append($0 == .e ? "error=E" : "another error") }
        command.execute()
        self.scheduler.drain()
        return log.entries
    }

    @Test("C298 The button article, first way, success")
    func success() {
        let log = self.logOfButton(ending: .completed)
        expect(log == ["pressed", "initially", "next 111111", "finally", "signal-done"])
    }

    @Test("C299 The button article, first way, failure")
    func failure() {
        let log = self.logOfButton(ending: .failed(.e))
        expect(log == ["pressed", "initially", "next 111111", "finally", "signal-done", "error=E"])
    }

    @Test("C305 The button signal of the article: the teardown is what unhooks the target")
    func targets() {
        let button = SinkBox<String, Never>()
        let (a, b) = (Recorder(button), Recorder(button))
        expect(button.sinks.count - button.teardowns.count == 2)
        for sink in button.sinks { sink.send("click") }
        a.dispose()
        expect(button.sinks.count - button.teardowns.count == 1)
        for sink in button.sinks { sink.send("click") }
        expect(a.events == events("click"))
        expect(b.events == events("click", "click"))
    }

    @Test("C306 The pull-to-refresh pattern: the spinner ends after every pull, failed ones too")
    func pullToRefresh() {
        let command = Command<String, String, TestFailure>(on: self.scheduler) { $0 == "bad" ? .fail(.e) : .just($0) }
        let pulls = Subject<String, Never>()
        let ended = pulls.signal.flatMap(.concat) { pull in
            command.execute(pull).signal.ignoreValues().catch(to: .empty).concat(.just(pull))
        }
        let a = Recorder(ended)
        for pull in ["ok", "bad", "ok"] {
            pulls.send(pull)
            self.scheduler.drain()
        }
        expect(a.events == events("ok", "bad", "ok"))
    }
}

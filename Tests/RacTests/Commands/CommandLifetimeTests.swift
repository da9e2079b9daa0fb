import Expectations
import Rac
import RacTesting
import Testing

@Suite struct CommandLifetimeTests {
    private typealias IntCommand = Command<Int, Int, TestFailure>

    private let scheduler = ManualScheduler()
    private let work = Subject<Int, TestFailure>()

    @Test("C281 Disposing the subscription to the result does not cancel the work")
    func subscriptionDisposed() {
        let source = CountedSource(self.work)
        let command = IntCommand(on: self.scheduler) { _ in source.signal }
        let a = Recorder(command.execute(1))
        self.scheduler.drain()
        a.dispose()
        self.scheduler.drain()
        expect(source.runs.count == 1)
        expect(source.teardowns.count == 0)
        #expect(command.isExecuting.value)
    }

    @Test("Cancelling an execution disposes the work, frees the command and notifies the listeners of that run only")
    func cancel() {
        let source = CountedSource(self.work)
        let command = IntCommand(on: self.scheduler) { _ in source.signal }
        let (errors, values) = (Recorder(command.errors), Recorder(command.values))
        let execution = command.execute(1)
        let a = Recorder(execution)
        self.scheduler.drain()
        self.work.send(1)
        execution.cancel()
        execution.cancel()
        self.work.send(2)
        self.scheduler.drain()
        expect(source.subscribers == 0)
        expect(a.events == events(1, then: .failed(.cancelled)))
        expect(values.events == events(1))
        expect(errors.events == events())
        #expect(!command.isExecuting.value)
        #expect(command.isEnabled.value)
    }

    @Test("The teardown of cancelled work has run before a listener of the end executes the command again")
    func cancelAndExecute() {
        let running = Counter()
        let most = Log<Int>()
        let command = IntCommand(on: .immediate) { _ in
            Signal { sink in
                running.increment()
                most.append(running.count)
                return AnyDisposable {
                    running.decrement()
                    withExtendedLifetime(sink) {}
                }
            }
        }
        let execution = command.execute(1)
        execution.observe(value: { _ in }, end: { _ in command.execute(2) })
        execution.cancel()
        expect(most.entries == [1, 1])
    }

    @Test("An execution that is cancelled before its work starts never starts it")
    func cancelBeforeStart() {
        let source = CountedSource(self.work)
        let command = IntCommand(on: self.scheduler) { _ in source.signal }
        let executing = Recorder(command.isExecuting)
        command.execute(1).cancel()
        self.scheduler.drain()
        expect(source.runs.count == 0)
        expect(executing.events == events(false, true, false))
    }

    @Test("Work that can never speak can be cancelled too")
    func cancelSilent() {
        let command = IntCommand(on: self.scheduler) { _ in .never }
        let execution = command.execute(1)
        self.scheduler.drain()
        #expect(command.isExecuting.value)
        execution.cancel()
        self.scheduler.drain()
        #expect(!command.isExecuting.value)
    }

    @Test("An observer that joins the values while a run speaks hears later runs only, until the last has ended")
    func lateForValues() {
        let (first, second) = (Subject<Int, TestFailure>(), Subject<Int, TestFailure>())
        var command: IntCommand? = IntCommand(on: .immediate, allowsConcurrentExecution: true) {
            ($0 == 1 ? first : second).signal
        }
        let early = command.map { Recorder($0.values) }
        command?.execute(1)
        first.send(10)
        let late = command.map { Recorder($0.values) }
        command?.execute(2)
        first.send(11)
        second.send(20)
        command = nil
        second.send(21)
        first.complete()
        expect(late?.events == events(20, 21))
        second.fail(.e)
        expect(early?.events == events(10, 11, 20, 21, then: .completed))
        expect(late?.events == events(20, 21, then: .completed))
    }

    @Test("C283 A command that goes away at rest completes all its signals")
    func goneAtRest() {
        var command: IntCommand? = IntCommand(on: self.scheduler) { .just($0) }
        weak let observed = command
        let flags = [command?.isExecuting, command?.isEnabled].compactMap { $0 }.map { Recorder($0.signal.skip(1)) }
        let errors = command.map { Recorder($0.errors) }
        let executions = command.map { Recorder($0.executions.map { _ in "execution" }) }
        let refusals = command.map { Recorder($0.refusals) }
        self.scheduler.drain()
        command = nil
        #expect(observed == nil)
        self.scheduler.drain()
        expect(flags.map(\.events) == [events(then: .completed), events(then: .completed)])
        expect(errors?.events == events(then: .completed))
        expect(executions?.events == events(then: .completed))
        expect(refusals?.events == events(then: .completed))
    }

    @Test("A command that goes away while work runs: the work goes on, and executing and errors complete after it")
    func goneInFlight() {
        let work = self.work
        var command: IntCommand? = IntCommand(on: self.scheduler) { _ in work.signal }
        weak let observed = command
        let executing = command.map { Recorder($0.isExecuting) }
        let enabled = command.map { Recorder($0.isEnabled) }
        let errors = command.map { Recorder($0.errors) }
        let executions = command.map { Recorder($0.executions.map { _ in "execution" }) }
        let a = command.map { Recorder($0.execute(1)) }
        self.scheduler.drain()
        command = nil
        #expect(observed == nil)
        self.scheduler.drain()
        expect(enabled?.events == events(true, false, then: .completed))
        expect(executions?.events == events("execution", then: .completed))
        expect(executing?.events == events(false, true))
        self.work.send(7)
        self.work.fail(.e)
        self.scheduler.drain()
        expect(a?.events == events(7, then: .failed(.failed(.e))))
        expect(errors?.events == events(.e, then: .completed))
        expect(executing?.events == events(false, true, false, then: .completed))
    }

    @Test("A command lets go of its condition when it goes away")
    func conditionReleased() {
        let condition = CountedSource(Subject<Bool, Never>())
        var command: IntCommand? = IntCommand(on: self.scheduler, enabledIf: condition.signal) { .just($0) }
        expect(condition.subscribers == 1)
        expect(command?.isEnabled.value == false)
        command = nil
        expect(condition.subscribers == 0)
    }

    @Test("Objects that a run holds go when it has ended and nobody holds it")
    func workReleased() {
        let living = Counter()
        let command = IntCommand(on: self.scheduler) { input in
            let held = Token(living)
            return Signal { sink in
                held.use()
                sink.send(input)
                sink.complete()
            }
        }
        command.execute(1)
        expect(living.count == 1)
        self.scheduler.drain()
        expect(living.count == 0)
    }
}

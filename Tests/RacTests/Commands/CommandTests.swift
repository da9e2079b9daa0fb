import Expectations
import Rac
import RacTesting
import Testing

/// The command's delivery scheduler is a manual one: `drain` runs everything that is queued, and whatever that queues.
@Suite struct CommandTests {
    private typealias IntCommand = Command<Int, Int, TestFailure>
    private typealias Ints = Signal<Int, TestFailure>

    private let scheduler = ManualScheduler()

    @Test("C255 At rest a command is enabled and not executing")
    func rest() {
        let command = IntCommand(on: self.scheduler) { .just($0) }
        expect(Recorder(command.isEnabled).events == events(true))
        expect(Recorder(command.isExecuting).events == events(false))
    }

    @Test("C256 Over one execution, executing says false, true, false and enabled true, false, true")
    func oneExecution() {
        let command = IntCommand(on: self.scheduler) { .just($0) }
        let (executing, enabled) = (Recorder(command.isExecuting), Recorder(command.isEnabled))
        command.execute(1)
        self.scheduler.drain()
        expect(executing.events == events(false, true, false))
        expect(enabled.events == events(true, false, true))
    }

    @Test("C257 The block runs inside execute; executing and enabled are announced before the work starts")
    func order() {
        let log = Log<String>()
        let command = IntCommand(on: self.scheduler) { input in
            log.append("block")
            return .deferred {
                log.append("work")
                return .just(input)
            }
        }
        command.isExecuting.signal.skip(1).onValue { log.append("executing:\($0)") }
        command.isEnabled.signal.skip(1).onValue { log.append("enabled:\($0)") }
        command.execute(1)
        log.append("returned")
        self.scheduler.drain()
        expect(log.entries.prefix(5) == ["block", "returned", "executing:true", "enabled:false", "work"])
    }

    @Test("C258 The returned signal carries the work's events")
    func returned() {
        let s = Subject<Int, TestFailure>()
        let command = IntCommand(on: self.scheduler) { _ in s.signal }
        let a = Recorder(command.execute(1))
        self.scheduler.drain()
        s.send(1)
        s.complete()
        expect(a.events == events(1, then: .completed))
    }

    @Test("C259 The returned signal replays everything to a late subscriber")
    func late() {
        let command = IntCommand(on: self.scheduler) { _ in Ints(values: [1, 2]) }
        let execution = command.execute(1)
        self.scheduler.drain()
        expect(Recorder(execution).events == events(1, 2, then: .completed))
    }

    @Test("C260 The work is run once, however many observers there are")
    func once() {
        let source = CountedSource(Ints.just(1))
        let command = IntCommand(on: self.scheduler) { _ in source.signal }
        let values = Recorder(command.executions.flatten(.merge))
        let execution = command.execute(1)
        let recorders = [Recorder(execution), Recorder(execution)]
        self.scheduler.drain()
        expect(source.runs.count == 1)
        expect(values.values == [1])
        #expect(recorders.allSatisfy { $0.values == [1] })
    }

    @Test("The work runs when nobody listens, after execute has returned")
    func nobodyListens() {
        let source = CountedSource(Ints.just(1))
        let command = IntCommand(on: self.scheduler) { _ in source.signal }
        command.execute(1)
        expect(source.runs.count == 0)
        self.scheduler.drain()
        expect(source.runs.count == 1)
    }

    @Test("C271 A failing execution")
    func failure() {
        let log = Log<String>()
        let command = IntCommand(on: self.scheduler) { _ in .fail(.e) }
        command.isExecuting.signal.skip(1).onValue { log.append("executing:\($0)") }
        command.isEnabled.signal.skip(1).onValue { log.append("enabled:\($0)") }
        command.errors.onValue { log.append("errors:\($0)") }
        command.executions.flatten(.merge).onValue { log.append("flattened:\($0)") }
        command.execute(1).observe { event in
            if case .failed(.failed(.e)) = event { log.append("returned:e") } else { log.append("returned:\(event)") }
        }
        self.scheduler.drain()
        expect(log.entries.filter { $0.hasPrefix("executing") } == ["executing:true", "executing:false"])
        expect(log.entries.filter { $0.hasPrefix("enabled") } == ["enabled:false", "enabled:true"])
        expect(log.entries.filter { $0.hasPrefix("errors") } == ["errors:e"])
        expect(log.entries.filter { $0.hasPrefix("flattened") } == [])
        expect(log.entries.filter { $0.hasPrefix("returned") } == ["returned:e"])
        let (end, free) = (log.entries.firstIndex(of: "returned:e"), log.entries.firstIndex(of: "executing:false"))
        expect(end.flatMap { end in free.map { end < $0 } } == true)
    }

    @Test("C272 One failure does not end the stream of execution signals")
    func failureGoesOn() {
        let command = IntCommand(on: self.scheduler) { input in
            input == 1 ? Ints.just(1).concat(.fail(.e)) : .just(input)
        }
        let flat = Recorder(command.executions.flatten(.merge))
        command.execute(1)
        self.scheduler.drain()
        command.execute(2)
        self.scheduler.drain()
        expect(flat.events == events(1, 2))
    }

    @Test("C276 Execution signals come only for executions that begin after subscribing")
    func lateExecutions() {
        let s = Subject<Int, TestFailure>()
        let command = IntCommand(on: self.scheduler) { _ in s.signal }
        command.execute(1)
        self.scheduler.drain()
        let executions = Recorder(command.executions.map { _ in "execution" })
        self.scheduler.drain()
        expect(executions.events == events())
    }

    @Test("C285 Execution signals come in order")
    func inOrder() {
        let command = IntCommand(on: self.scheduler) { Ints(values: 0..<$0) }
        let flat = Recorder(command.executions.flatten(.concat))
        command.execute(2)
        self.scheduler.drain()
        command.execute(3)
        self.scheduler.drain()
        expect(flat.events == events(0, 1, 0, 1, 2))
    }

    @Test("The values of all executions are one signal")
    func values() {
        let command = IntCommand(on: self.scheduler) { Ints(values: 0..<$0) }
        let values = Recorder(command.values)
        command.execute(2)
        self.scheduler.drain()
        command.execute(1)
        self.scheduler.drain()
        expect(values.events == events(0, 1, 0))
    }

    @Test("A command without an input is executed without one")
    func noInput() {
        let command = Command<Void, Int, Never>(on: self.scheduler) { .just(7) }
        let values = Recorder(command.values)
        command.execute()
        self.scheduler.drain()
        expect(values.events == events(7))
    }
}

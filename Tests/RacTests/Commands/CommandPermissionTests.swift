import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct CommandPermissionTests {
    private let scheduler = ManualScheduler()
    private let works = (0..<5).map { _ in Subject<String, TestFailure>() }

    /// A command whose work for the input n is subject n.
    private func command(
        enabledIf condition: Signal<Bool, Never> = .just(true),
        allowsConcurrentExecution: Bool = false
    ) -> Command<Int, String, TestFailure> {
        let works = self.works
        return Command(
            on: self.scheduler,
            enabledIf: condition,
            allowsConcurrentExecution: allowsConcurrentExecution
        ) { works[$0].signal }
    }

    @Test("C262 One at a time")
    func oneAtATime() {
        let command = self.command()
        command.execute(1)
        let second = Recorder(command.execute(2))
        self.scheduler.drain()
        let third = Recorder(command.execute(3))
        self.works[1].complete()
        self.scheduler.drain()
        let fourth = Recorder(command.execute(4))
        self.scheduler.drain()
        self.works[4].send("ok")
        self.works[4].complete()
        expect(second.events == events(then: .failed(.notEnabled)))
        expect(third.events == events(then: .failed(.notEnabled)))
        expect(fourth.events == events("ok", then: .completed))
    }

    @Test("C264 A refusal is reported only to the caller and to the observers of refusals")
    func refusal() {
        let command = self.command()
        let (errors, refusals) = (Recorder(command.errors), Recorder(command.refusals))
        let executions = Recorder(command.executions.map { _ in "execution" })
        command.execute(1)
        let returned = Recorder(command.execute(2))
        self.scheduler.drain()
        expect(errors.events == events())
        expect(executions.events == events("execution"))
        expect(returned.events == events(then: .failed(.notEnabled)))
        expect(refusals.events == events(2))
    }

    @Test("A refusal is decided at the call, not when somebody observes it")
    func refusalStays() {
        let command = self.command()
        command.execute(1)
        let refused = command.execute(2)
        self.scheduler.drain()
        self.works[1].complete()
        self.scheduler.drain()
        #expect(command.isEnabled.value)
        expect(Recorder(refused).events == events(then: .failed(.notEnabled)))
    }

    @Test("C266 The enabling condition")
    func condition() {
        let condition = Subject<Bool, Never>()
        let command = self.command(enabledIf: condition.signal)
        #expect(!command.isEnabled.value)
        condition.send(true)
        self.scheduler.drain()
        #expect(command.isEnabled.value)
        condition.send(false)
        self.scheduler.drain()
        #expect(!command.isEnabled.value)
        let refused = Recorder(command.execute(1))
        condition.send(true)
        self.scheduler.drain()
        expect(refused.events == events(then: .failed(.notEnabled)))
        #expect(command.isEnabled.value)
    }

    @Test("command-1 A condition without a value refuses executions")
    func silentCondition() {
        for condition in [Signal<Bool, Never>.never, .empty, combineLatest([Signal<Bool, Never>]()).and()] {
            let command = self.command(enabledIf: condition)
            #expect(!command.isEnabled.value)
            expect(Recorder(command.execute(1)).events == events(then: .failed(.notEnabled)))
        }
    }

    @Test("C267 An enabling condition with an immediate value counts from the start")
    func immediateCondition() {
        let command = self.command(enabledIf: .just(false))
        #expect(!command.isEnabled.value)
        expect(Recorder(command.execute(1)).events == events(then: .failed(.notEnabled)))
    }

    @Test("A property is a condition")
    func propertyCondition() {
        let isOnline = Property(false)
        let command = Command<Int, Int, Never>(on: .immediate, enabledIf: isOnline) { .just($0) }
        #expect(!command.isEnabled.value)
        isOnline.value = true
        #expect(command.isEnabled.value)
        let task = Command(enabledIf: isOnline.map { !$0 }) { (number: Int) async -> Int in number }
        #expect(!task.isEnabled.value)
    }

    @Test("C269 Enabled does not repeat itself")
    func noRepeats() {
        let condition = Subject<Bool, Never>()
        let command = self.command(enabledIf: condition.signal)
        let enabled = Recorder(command.isEnabled)
        for isEnabled in [true, true, false, false, true] {
            condition.send(isEnabled)
            self.scheduler.drain()
        }
        expect(enabled.events == events(false, true, false, true))
    }

    @Test("A condition that completes keeps its last word")
    func completedCondition() {
        let condition = Subject<Bool, Never>()
        let command = self.command(enabledIf: condition.signal)
        condition.send(false)
        condition.complete()
        self.scheduler.drain()
        #expect(!command.isEnabled.value)
    }

    @Test("C277 Concurrent executions")
    func concurrent() {
        let command = self.command(allowsConcurrentExecution: true)
        let (executing, enabled) = (Recorder(command.isExecuting), Recorder(command.isEnabled))
        command.execute(1)
        command.execute(2)
        self.scheduler.drain()
        self.works[1].complete()
        self.scheduler.drain()
        expect(executing.events == events(false, true))
        self.works[2].fail(.e)
        self.scheduler.drain()
        expect(executing.events == events(false, true, false))
        expect(enabled.events == events(true))
    }

    @Test("C278 command-15 Switching concurrency on and off during an execution")
    func switching() {
        let command = self.command()
        command.execute(1)
        self.scheduler.drain()
        #expect(!command.isEnabled.value)
        command.allowsConcurrentExecution = true
        self.scheduler.drain()
        #expect(command.isEnabled.value)
        command.allowsConcurrentExecution = false
        self.scheduler.drain()
        #expect(!command.isEnabled.value)
        #expect(!command.allowsConcurrentExecution)
        expect(Recorder(command.execute(2)).events == events(then: .failed(.notEnabled)))
        self.works[1].complete()
        self.scheduler.drain()
        #expect(command.isEnabled.value)
    }

    @Test("Executing again is refused from a value handler and allowed from an end handler")
    func reentrancy() {
        let command = self.command()
        let (inValue, atEnd) = (Log<Recorder<String, CommandError<TestFailure>>>(), Counter())
        command.execute(1).observe(
            value: { _ in inValue.append(Recorder(command.execute(2))) },
            end: { _ in
                #expect(!command.isEnabled.value)
                command.execute(3)
                atEnd.increment()
            }
        )
        let executing = Recorder(command.isExecuting)
        self.scheduler.drain()
        let third = Recorder(command.values)
        self.works[1].send("x")
        self.works[1].complete()
        self.scheduler.drain()
        self.works[3].send("third")
        expect(inValue.entries.map(\.events) == [events(then: .failed(.notEnabled))])
        expect(atEnd.count == 1)
        expect(third.events == events("third"))
        expect(executing.events == events(false, true, false, true))
    }

    @Test("One of many threads that execute at once gets in at a time, and the count is right in the end")
    func threads() {
        let (accepted, refused) = (Counter(), Counter())
        let command = Command<Int, Int, Never>(on: .immediate) { .just($0) }
        let (started, refusals) = (Counter(), Counter())
        command.executions.onValue { _ in started.increment() }
        command.refusals.onValue { _ in refusals.increment() }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 {
                command.execute(thread * 500 + number).observe(
                    value: { _ in accepted.increment() },
                    end: { if case .failed(.notEnabled) = $0 { refused.increment() } }
                )
            }
        }
        expect(accepted.count + refused.count == 4_000)
        expect(accepted.count == started.count)
        expect(refused.count == refusals.count)
        #expect(command.isEnabled.value)
        #expect(!command.isExecuting.value)
    }
}

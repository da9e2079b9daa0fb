/// What a command shares with its runs, which may outlive it, and with what is scheduled.
///
/// Guards: `state` by its lock, for a few lines at a time; the rest guards itself. What observers hear goes through
/// `outbox` in the order in which it came about, and is delivered by whoever is inside `gate`, on the scheduler.
@usableFromInline
final class CommandCore<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    /// Something to be delivered on the scheduler.
    @usableFromInline
    enum Delivery: Sendable {
        case notice(CommandStateMachine.Notice)
        case execution(CommandRun<Output, Failure>)
        case start(CommandRun<Output, Failure>, Signal<Output, Failure>)
        case error(Failure)
        case refusal(Input)
        /// The command has gone: nobody can execute it any more.
        case closed
        /// The command has gone and its last run has ended.
        case over
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var machine: CommandStateMachine
        @usableFromInline var outbox = Fifo<Delivery>()
        /// Whether the command has been made, so that somebody may observe it.
        @usableFromInline var hasBegun = false
        @usableFromInline var isClosed = false

        @inlinable
        init(machine: CommandStateMachine) {
            self.machine = machine
        }

        @inlinable
        mutating func post(_ deliveries: Delivery...) {
            for delivery in deliveries { self.outbox.append(delivery) }
            for notice in self.machine.takeNotices() { self.outbox.append(.notice(notice)) }
            if self.isClosed, !self.machine.isExecuting { self.outbox.append(.over) }
        }
    }

    @usableFromInline let isExecuting: ChangeCore<Bool, Never>
    @usableFromInline let isEnabled: ChangeCore<Bool, Never>
    @usableFromInline let executions = Subject<Signal<Output, Never>, Never>()
    @usableFromInline let errors = Subject<Failure, Never>()
    @usableFromInline let refusals = Subject<Input, Never>()
    @usableFromInline let state: Guarded<State>
    @usableFromInline let gate = SerialGate<Void>()
    @usableFromInline let scheduler: any Scheduler

    @inlinable
    init(on scheduler: any Scheduler, machine: CommandStateMachine) {
        self.isExecuting = ChangeCore(machine.isExecuting)
        self.isEnabled = ChangeCore(machine.isEnabled)
        self.state = Guarded(State(machine: machine))
        self.scheduler = scheduler
    }

    @inlinable
    var allowsConcurrentExecution: Bool {
        self.state.withLock { $0.machine.allowsConcurrentExecution }
    }

    @inlinable
    func allowConcurrentExecution(_ isAllowed: Bool) {
        self.state.withLock { state in
            state.machine.concurrencyChanged(to: isAllowed)
            state.post()
        }
        self.schedule()
    }

    @inlinable
    func conditionChanged(to condition: Bool) {
        self.state.withLock { state in
            state.machine.conditionChanged(to: condition)
            state.post()
        }
        self.schedule()
    }

    /// Claims a run: from then on it counts as running.
    @inlinable
    func claim() -> CommandRun<Output, Failure>? {
        let isAccepted = self.state.withLock { state in
            guard state.machine.requested() else { return false }
            state.post()
            return true
        }
        return isAccepted ? CommandRun() : nil
    }

    @inlinable
    func refuse(_ input: Input) {
        self.state.withLock { $0.post(.refusal(input)) }
        self.schedule()
    }

    /// Announces a run that was claimed and starts its work after that.
    @inlinable
    func start(_ run: CommandRun<Output, Failure>, _ work: Signal<Output, Failure>) {
        self.state.withLock { $0.post(.execution(run), .start(run, work)) }
        self.schedule()
    }

    @inlinable
    func cancel(_ run: CommandRun<Output, Failure>) {
        guard run.life.claimEnd() else { return }
        self.end(run, .failed(.cancelled))
    }

    @inlinable
    func close() {
        self.state.withLock { state in
            state.isClosed = true
            state.post(.closed)
        }
        self.schedule()
    }

    /// Frees the place of the run first, so that a listener may execute the command again when it hears the end (G6).
    @inlinable
    func end(_ run: CommandRun<Output, Failure>, _ ending: Ending<CommandError<Failure>>) {
        self.state.withLock { state in
            state.machine.ended()
            if case .failed(.failed(let failure)) = ending { state.post(.error(failure)) } else { state.post() }
        }
        run.subject.end(ending)
        run.life.tearDown()
        self.schedule()
    }

    /// The command has been made: what its condition has said by now is how it stands, and needs no announcement.
    @inlinable
    func begin() {
        self.state.withLock { $0.hasBegun = true }
        self.deliverAll()
    }

    @inlinable
    func schedule() {
        guard self.state.withLock({ $0.hasBegun }) else { return }
        self.scheduler.schedule { self.deliverAll() }
    }

    @inlinable
    func deliverAll() {
        guard self.gate.enter() || self.gate.enterOrWait(()) else { return }
        self.emptyOutbox()
        self.gate.leave { _ in self.emptyOutbox() }
    }

    @inlinable
    func emptyOutbox() {
        while let delivery = self.state.withLock({ $0.outbox.popFirst() }) {
            self.deliver(delivery)
        }
    }

    @inlinable
    func deliver(_ delivery: Delivery) {
        switch delivery {
        case .notice(.executing(let isExecuting)): self.isExecuting.send(isExecuting)
        case .notice(.enabled(let isEnabled)): self.isEnabled.send(isEnabled)
        case .execution(let run): self.executions.send(run.unfailing)
        case .start(let run, let work): self.startNow(run, work)
        case .error(let failure): self.errors.send(failure)
        case .refusal(let input): self.refusals.send(input)
        case .closed:
            self.isEnabled.end(.completed)
            self.executions.complete()
            self.refusals.complete()
        case .over:
            self.errors.complete()
            self.isExecuting.end(.completed)
        }
    }

    @inlinable
    func startNow(_ run: CommandRun<Output, Failure>, _ work: Signal<Output, Failure>) {
        guard run.life.isOpen else { return }
        work.start(
            in: run.life,
            value: { run.subject.send($0) },
            end: { ending in
                guard run.life.claimEnd() else { return }
                switch ending {
                case .completed: self.end(run, .completed)
                case .failed(let failure): self.end(run, .failed(.failed(failure)))
                }
            }
        )
    }
}

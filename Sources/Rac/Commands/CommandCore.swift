public import Synchronization

/// What a command shares with its runs, which may outlive it, and with what is scheduled.
///
/// Guards: `state` by its lock, for a few lines at a time; the rest guards itself. What observers hear goes through
/// `outbox` in the order in which it came about, and is delivered on the scheduler by whoever has the turn.
@usableFromInline
final class CommandCore<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Run = CommandRun<Input, Output, Failure>

    /// Something to be delivered on the scheduler.
    @usableFromInline
    enum Delivery: Sendable {
        case notice(CommandStateMachine.Notice)
        case execution(Run)
        case start(Run, Signal<Output, Failure>)
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
        /// The emptied line of the last round, kept for its memory.
        @usableFromInline var spare = Fifo<Delivery>()
        /// Whether somebody delivers, or will when the scheduler lets them: at first whoever makes the command.
        @usableFromInline var isTurnTaken = true
        @usableFromInline var isClosed = false

        @inlinable
        init(machine: CommandStateMachine) {
            self.machine = machine
        }

        /// Puts what the machine has to tell in the outbox.
        @inlinable
        mutating func postNotices() {
            while let notice = self.machine.nextNotice() { self.outbox.append(.notice(notice)) }
            if self.isClosed, !self.machine.isExecuting { self.outbox.append(.over) }
        }

        /// Answers whether the caller has to have delivered what is in the outbox.
        @inlinable
        mutating func takeTurn() -> Bool {
            guard !self.isTurnTaken, !self.outbox.isEmpty else { return false }
            self.isTurnTaken = true
            return true
        }

        /// Exchanges the emptied `round` for what is to be delivered; gives the turn back if that is nothing.
        @inlinable
        mutating func takeOutbox(into round: inout Fifo<Delivery>) -> Bool {
            if round.slots.isEmpty { swap(&round, &self.spare) }
            swap(&round, &self.outbox)
            guard round.isEmpty else { return true }
            swap(&round, &self.spare)
            self.isTurnTaken = false
            return false
        }
    }

    @usableFromInline let isExecuting: ChangeCore<Bool, Never>
    @usableFromInline let isEnabled: ChangeCore<Bool, Never>
    @usableFromInline let executions = Subject<Signal<Output, Never>, Never>()
    @usableFromInline let values = Subject<RunValue<Output>, Never>()
    @usableFromInline let errors = Subject<Failure, Never>()
    @usableFromInline let refusals = Subject<Input, Never>()
    /// How many runs have been announced.
    @usableFromInline let announced = Atomic(0)
    @usableFromInline let state: Guarded<State>
    @usableFromInline let scheduler: any Scheduler
    /// Whether the scheduler would only call what it is given.
    @usableFromInline let isImmediate: Bool
    /// What a failure of the work is; nil: a failure of the work.
    @usableFromInline let classify: (@Sendable (Failure) -> CommandError<Failure>)?

    @inlinable
    init(
        on scheduler: some Scheduler,
        machine: CommandStateMachine,
        classify: (@Sendable (Failure) -> CommandError<Failure>)? = nil
    ) {
        self.isExecuting = ChangeCore(machine.isExecuting)
        self.isEnabled = ChangeCore(machine.isEnabled)
        self.state = Guarded(State(machine: machine))
        self.scheduler = scheduler
        self.isImmediate = scheduler is ImmediateScheduler
        self.classify = classify
    }

    @inlinable
    var allowsConcurrentExecution: Bool {
        self.state.withLock { $0.machine.allowsConcurrentExecution }
    }

    @inlinable
    func allowConcurrentExecution(_ isAllowed: Bool) {
        self.change { state in
            state.machine.concurrencyChanged(to: isAllowed)
            state.postNotices()
        }
    }

    @inlinable
    func conditionChanged(to condition: Bool) {
        self.change { state in
            state.machine.conditionChanged(to: condition)
            state.postNotices()
        }
    }

    /// Claims a run: if it answers true, one more counts as running.
    ///
    /// What is to be told of that waits for the run to ``start(_:_:)``.
    @inlinable
    func claim() -> Bool {
        self.state.withLock { state in
            guard state.machine.requested() else { return false }
            state.postNotices()
            return true
        }
    }

    @inlinable
    func refuse(_ input: Input) {
        self.change { $0.outbox.append(.refusal(input)) }
    }

    /// Announces a run that was claimed and starts its work after that.
    @inlinable
    func start(_ run: Run, _ work: Signal<Output, Failure>) {
        self.change { state in
            state.outbox.append(.execution(run))
            state.outbox.append(.start(run, work))
        }
    }

    @inlinable
    func close() {
        self.change { state in
            state.isClosed = true
            state.machine.runsElsewhere = false
            state.outbox.append(.closed)
            state.postNotices()
        }
    }

    /// A run has ended: its place is free, which observers hear only with ``deliverOutbox()``.
    @inlinable
    func free(after ending: Ending<CommandError<Failure>>) {
        self.state.withLock { state in
            state.machine.ended()
            if case .failed(.failed(let failure)) = ending { state.outbox.append(.error(failure)) }
            state.postNotices()
        }
    }

    /// Sees to it that what is in the outbox is delivered.
    @inlinable
    func deliverOutbox() {
        self.change { _ in }
    }

    /// The command has been made: what its condition has said by now is how it stands, and needs no announcement.
    @inlinable
    func begin() {
        self.deliverAll()
    }

    /// Changes the state and sees to it that what this puts in the outbox is delivered.
    @inlinable
    func change(_ body: (inout State) -> Void) {
        let hasTurn = self.state.withLock { state in
            body(&state)
            return state.takeTurn()
        }
        guard hasTurn else { return }
        if self.isImmediate { return self.deliverAll() }
        self.scheduler.schedule { self.deliverAll() }
    }

    @inlinable
    func deliverAll() {
        var round = Fifo<Delivery>()
        while self.state.withLock({ $0.takeOutbox(into: &round) }) {
            while let delivery = round.popFirst() { self.deliver(delivery) }
        }
    }

    @inlinable
    func deliver(_ delivery: Delivery) {
        switch delivery {
        case .notice(.executing(let isExecuting)): self.isExecuting.send(isExecuting)
        case .notice(.enabled(let isEnabled)): self.isEnabled.send(isEnabled)
        case .execution(let run): self.announce(run)
        case .start(let run, let work): run.start(work)
        case .error(let failure): self.errors.send(failure)
        case .refusal(let input): self.refusals.send(input)
        case .closed:
            self.isEnabled.end(.completed)
            self.executions.complete()
            self.refusals.complete()
        case .over:
            self.values.complete()
            self.errors.complete()
            self.isExecuting.end(.completed)
        }
    }

    @inlinable
    func announce(_ run: Run) {
        run.number = self.announced.add(1, ordering: .acquiringAndReleasing).newValue
        self.executions.send(run.unfailing)
    }

    /// The values of the runs that have not been announced yet.
    @inlinable
    func observeValues(_ sink: Sink<Output, Never>) {
        let past = self.announced.load(ordering: .acquiring)
        let values = Sink<RunValue<Output>, Never>(
            sink.subscription,
            value: { if $0.run > past { sink.send($0.value) } },
            end: sink.finish
        )
        self.values.core.add(values)
    }
}

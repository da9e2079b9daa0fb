public import Synchronization

/// The shared part of a command, its runs, which may outlive it, and its scheduled work.
///
/// Guards: a lock guards `state`, for a few lines at a time; the rest guards itself. Announcements go through `outbox`
/// in the order of their causes. The thread that has the turn delivers them on the scheduler.
@usableFromInline
final class CommandCore<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Run = CommandRun<Input, Output, Failure>

    /// An item to be delivered on the scheduler.
    @usableFromInline
    enum Delivery: Sendable {
        case notice(CommandStateMachine.Notice)
        case execution(Run)
        case start(Run, Signal<Output, Failure>)
        case error(Failure)
        case refusal(Input)
        /// The command has been released: no further execution can come.
        case closed
        /// The command has been released and its last run has ended.
        case over
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var machine: CommandStateMachine
        @usableFromInline var outbox = Fifo<Delivery>()
        /// The emptied array of the last round, kept for its memory.
        @usableFromInline var spare = Fifo<Delivery>()
        /// Whether a thread delivers, or will when the scheduler runs it; at first this is the command's maker.
        @usableFromInline var isTurnTaken = true
        @usableFromInline var isClosed = false

        @inlinable
        init(machine: CommandStateMachine) {
            self.machine = machine
        }

        /// Puts the machine's announcements into the outbox.
        @inlinable
        mutating func postNotices() {
            while let notice = self.machine.nextNotice() { self.outbox.append(.notice(notice)) }
            if self.isClosed, !self.machine.isExecuting { self.outbox.append(.over) }
        }

        /// Returns whether the caller has to cause the outbox's delivery.
        @inlinable
        mutating func takeTurn() -> Bool {
            guard !self.isTurnTaken, !self.outbox.isEmpty else { return false }
            self.isTurnTaken = true
            return true
        }

        /// Exchanges the emptied `round` for the outbox; gives the turn back if that is empty.
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
    /// The number of announced runs.
    @usableFromInline let announced = Atomic(0)
    @usableFromInline let state: Guarded<State>
    @usableFromInline let scheduler: any Scheduler
    /// Whether the scheduler runs work inside the call.
    @usableFromInline let isImmediate: Bool
    /// The meaning of a failure of the work; nil for a failure of the work itself.
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

    /// Claims a run: if it returns true, one more counts as running.
    ///
    /// Its announcement waits until the run calls ``start(_:_:)``.
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

    /// Work has failed, which observers learn with ``deliverOutbox()``.
    @inlinable
    func post(_ failure: Failure) {
        self.state.withLock { $0.outbox.append(.error(failure)) }
    }

    /// The place of a run is free, which observers learn with ``deliverOutbox()``.
    @inlinable
    func free() {
        self.state.withLock { state in
            state.machine.ended()
            state.postNotices()
        }
    }

    /// Causes the delivery of the outbox.
    @inlinable
    func deliverOutbox() {
        self.change { _ in }
    }

    /// The command has been made: the condition's values so far count from the start and need no announcement.
    @inlinable
    func begin() {
        self.deliverAll()
    }

    /// Changes the state and causes the delivery of its announcements.
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

    /// The values of the runs that are announced later.
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

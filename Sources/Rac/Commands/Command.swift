/// Work that an input starts.
///
/// It refuses to start when it may not, and shows whether it may and whether it runs.
///
/// Permission is decided inside ``execute(_:)``: of two calls in a row the second is refused, unless executions may be
/// concurrent. Announcements, and the start of the work, come on the command's scheduler, in this order:
/// ``isExecuting``, ``isEnabled``, ``executions``, the work. At the work's end the command is free first, then the
/// execution's listeners get the end, then observers learn that it is free. So a listener may execute the command again
/// at the end, not at a value.
///
/// A cancelled execution has ended for its listeners at once. An asynchronous function as work may take longer to
/// notice: until it has returned, the command is executing. A signal as work is over when it is disposed. A
/// signal whose sink is gone has no end, so it executes until it is cancelled.
///
/// The command lives as long as it is held, not as long as its work. At its release ``isEnabled``, ``executions`` and
/// ``refusals`` complete; ``isExecuting``, ``values`` and ``errors`` complete when no run is left. Isolation: any
/// thread. Semantics: docs/semantics.md, command-1 to command-19 and command-23. ReactiveObjC: RACCommand, which has no
/// refusals and no cancelling.
public final class Command<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let core: CommandCore<Input, Output, Failure>
    @usableFromInline typealias Run = CommandRun<Input, Output, Failure>

    @usableFromInline let makeWork: @Sendable (Input, Run) -> Signal<Output, Failure>
    @usableFromInline let condition: Subscription
    /// Why the work, which is elsewhere, is out of reach; nil if the work is here.
    @usableFromInline package let obstacle: ReadOnlyProperty<Failure?>?
    /// The parent of the subscriptions to signals that execute the command.
    @usableFromInline let sources = Subscription()

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - scheduler: Runs announcements and the start of work, one after the other; a serial one. With the immediate
    ///     scheduler they happen inside the calls.
    ///   - condition: Whether it may be executed, apart from running work: a property, or a signal. It counts as false until
    ///     it sends a value, and as its last value after completion. A value that it sends while it is first observed counts
    ///     from the start. A `combineLatest` without members sends the value `whenEmpty`, or none.
    ///     A `combineLatest` of two properties that change one after the other is judged between the two changes, too; a
    ///     `map` of one property is not.
    ///   - allowsConcurrentExecution: Whether several executions may run at once.
    ///   - makeWork: Called inside each accepted ``execute(_:)``, on that thread; its signal is observed once. A teardown
    ///     has to stop the work: the command is free behind it.
    @inlinable
    public convenience init(
        on scheduler: some Scheduler = ImmediateScheduler(),
        enabledIf condition: some SignalSource<Bool, Never> = Signal<Bool, Never>.just(true),
        allowsConcurrentExecution: Bool = false,
        _ makeWork: @escaping @Sendable (Input) -> Signal<Output, Failure>
    ) {
        self.init(
            on: scheduler,
            enabledIf: condition.signal,
            allowsConcurrentExecution: allowsConcurrentExecution,
            working: { input, _ in makeWork(input) }
        )
    }

    /// Makes a command whose work knows its run.
    @inlinable
    init(
        on scheduler: some Scheduler,
        enabledIf condition: Signal<Bool, Never>,
        allowsConcurrentExecution: Bool,
        working makeWork: @escaping @Sendable (Input, Run) -> Signal<Output, Failure>
    ) {
        let machine = CommandStateMachine(allowsConcurrentExecution: allowsConcurrentExecution, condition: false)
        let core = CommandCore<Input, Output, Failure>(on: scheduler, machine: machine)
        self.core = core
        self.makeWork = makeWork
        self.obstacle = nil
        self.condition = condition.onValue { core.conditionChanged(to: $0) }
        core.begin()
    }

    /// Makes a command whose work, and the permission for it, is elsewhere.
    ///
    /// It is not enabled until its port says so; then it accepts any number of executions.
    ///
    /// - Parameters:
    ///   - scheduler: Runs announcements and the start of work.
    ///   - obstacle: Why the work is out of reach.
    ///   - classify: The meaning of a failure of the work for the execution.
    ///   - connect: Called once, with the port; its result is disposed when the command is released.
    ///   - makeWork: Called for each execution that is accepted here.
    package init(
        on scheduler: some Scheduler,
        obstacle: ReadOnlyProperty<Failure?> = .constant(nil),
        classify: @escaping @Sendable (Failure) -> CommandError<Failure>,
        connect: (CommandPort<Input, Output, Failure>) -> any Disposable,
        _ makeWork: @escaping @Sendable (Input) -> Signal<Output, Failure>
    ) {
        let machine = CommandStateMachine(allowsConcurrentExecution: true, revokesFirst: true)
        let core = CommandCore<Input, Output, Failure>(on: scheduler, machine: machine, classify: classify)
        self.core = core
        self.makeWork = { input, _ in makeWork(input) }
        self.obstacle = obstacle
        self.condition = Subscription()
        let port = CommandPort(core)
        port.tell(isEnabled: false, isExecuting: false)
        self.condition.add(connect(port))
        core.begin()
    }

    deinit {
        self.sources.dispose()
        self.condition.dispose()
        self.core.close()
    }

    /// Whether several executions may run at once; running work stays counted when this changes.
    ///
    /// Semantics: docs/semantics.md, command-15.
    public var allowsConcurrentExecution: Bool {
        get { self.core.allowsConcurrentExecution }
        set { self.core.allowConcurrentExecution(newValue) }
    }

    /// Whether anything is running, as announced; completes after the command and its last run.
    public var isExecuting: ReadOnlyProperty<Bool> { ReadOnlyProperty(self.core.isExecuting) }

    /// Whether an execution would be accepted, as announced; completes with the command.
    public var isEnabled: ReadOnlyProperty<Bool> { ReadOnlyProperty(self.core.isEnabled) }

    /// A signal for each later accepted execution, announced before its work starts.
    ///
    /// Each one replays all events of its work and cannot fail: it completes where the work fails.
    public var executions: Signal<Signal<Output, Never>, Never> { self.core.executions.signal }

    /// The values of all later executions.
    @inlinable
    public var values: Signal<Output, Never> {
        Signal(serial: { [core] in core.observeValues($0) })
    }

    /// The later failures of work, as values; neither refusals nor cancellations are among them.
    public var errors: Signal<Failure, Never> { self.core.errors.signal }

    /// The inputs of later refused executions.
    public var refusals: Signal<Input, Never> { self.core.refusals.signal }

    /// Starts the work for an input, or refuses it.
    ///
    /// The work goes on without a listener, and the result need not be held.
    ///
    /// - Parameter input: The input of the work.
    /// - Returns: The run; if the command was not enabled at this moment, one that has failed with
    ///   ``CommandError/notEnabled`` for good.
    @inlinable
    @discardableResult
    public func execute(_ input: Input) -> Execution<Output, Failure> {
        let core = self.core
        guard core.claim() else {
            core.refuse(input)
            return Execution()
        }
        let run = CommandRun(of: core)
        core.start(run, self.makeWork(input, run))
        return Execution(signal: run.signal, run: run)
    }
}

extension Command where Input == Void {
    /// Starts the work of a command without an input, or refuses it.
    ///
    /// - Returns: As ``execute(_:)``.
    @inlinable
    @discardableResult
    public func execute() -> Execution<Output, Failure> {
        self.execute(())
    }
}

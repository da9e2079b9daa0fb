/// Work that is started by an input, refuses to start when it may not, and shows whether it may and whether it runs.
///
/// Permission is decided inside ``execute(_:)``: of two calls in a row the second is refused, unless executions may be
/// concurrent. Everything that observers hear, and the start of the work, comes on the command's scheduler, in this order:
/// ``isExecuting``, ``isEnabled``, ``executions``, the work. When the work ends, the command is free first, then the
/// listeners of the execution hear the end, then observers hear that it is free. So a listener may execute the command
/// again when it hears the end, not when it hears a value.
///
/// The command lives as long as it is held, not as long as its work: when it goes, ``isEnabled``, ``executions`` and
/// ``refusals`` complete, and ``isExecuting``, ``values`` and ``errors`` as soon as no run is left. Isolation: any
/// thread. Semantics: docs/semantics.md, command-1 to command-19. ReactiveObjC: RACCommand, which has no refusals and
/// no cancelling.
public final class Command<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let core: CommandCore<Input, Output, Failure>
    @usableFromInline let makeWork: @Sendable (Input) -> Signal<Output, Failure>
    @usableFromInline let condition: Subscription

    /// Makes a command.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers hear and work starts, one thing after the other; a serial one. With the immediate
    ///     scheduler that is inside the calls themselves.
    ///   - condition: Whether it may be executed, apart from what is running: true until the signal says something, and
    ///     its last word when it has completed. What it says while it is being observed counts from the start.
    ///   - allowsConcurrentExecution: Whether several executions may run at once.
    ///   - makeWork: Called inside each accepted ``execute(_:)``, on that thread; its signal is observed once.
    @inlinable
    public init(
        on scheduler: some Scheduler,
        enabledIf condition: Signal<Bool, Never> = .empty,
        allowsConcurrentExecution: Bool = false,
        _ makeWork: @escaping @Sendable (Input) -> Signal<Output, Failure>
    ) {
        let machine = CommandStateMachine(allowsConcurrentExecution: allowsConcurrentExecution)
        let core = CommandCore<Input, Output, Failure>(on: scheduler, machine: machine)
        self.core = core
        self.makeWork = makeWork
        self.condition = condition.onValue { core.conditionChanged(to: $0) }
        core.begin()
    }

    /// Makes a command whose work is done elsewhere, where it is also decided whether it may be executed.
    ///
    /// It is not enabled until its port is told so, and any number of executions may then be asked for.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers hear and work starts.
    ///   - classify: What a failure of the work says about the execution.
    ///   - connect: Called once, with the port; what it returns is disposed when the command goes.
    ///   - makeWork: Called for each execution that is accepted here.
    package init(
        on scheduler: some Scheduler,
        classify: @escaping @Sendable (Failure) -> CommandError<Failure>,
        connect: (CommandPort<Input, Output, Failure>) -> any Disposable,
        _ makeWork: @escaping @Sendable (Input) -> Signal<Output, Failure>
    ) {
        let machine = CommandStateMachine(allowsConcurrentExecution: true)
        let core = CommandCore<Input, Output, Failure>(on: scheduler, machine: machine, classify: classify)
        self.core = core
        self.makeWork = makeWork
        self.condition = Subscription()
        let port = CommandPort(core)
        port.tell(isEnabled: false, isExecuting: false)
        self.condition.add(connect(port))
        core.begin()
    }

    deinit {
        self.condition.dispose()
        self.core.close()
    }

    /// Whether several executions may run at once; what is running stays counted when this changes (command-15).
    public var allowsConcurrentExecution: Bool {
        get { self.core.allowsConcurrentExecution }
        set { self.core.allowConcurrentExecution(newValue) }
    }

    /// Whether anything is running, as observers have been told; completes after the command and its last run.
    public var isExecuting: ReadOnlyProperty<Bool> { ReadOnlyProperty(self.core.isExecuting) }

    /// Whether an execution would be accepted, as observers have been told; completes with the command.
    public var isEnabled: ReadOnlyProperty<Bool> { ReadOnlyProperty(self.core.isEnabled) }

    /// A signal for each execution that is accepted from now on, told before its work starts.
    ///
    /// Each replays everything that its work says and cannot fail: it completes where the work fails.
    public var executions: Signal<Signal<Output, Never>, Never> { self.core.executions.signal }

    /// The values of all executions that begin from now on.
    @inlinable
    public var values: Signal<Output, Never> {
        Signal(serial: { [core] in core.observeValues($0) })
    }

    /// The failures of the work, as values, from now on; neither refusals nor cancellations are among them.
    public var errors: Signal<Failure, Never> { self.core.errors.signal }

    /// The inputs that are refused from now on.
    public var refusals: Signal<Input, Never> { self.core.refusals.signal }

    /// Starts the work for an input, or refuses to.
    ///
    /// The work goes on whether or not anybody listens to what this returns, and nobody has to hold it.
    ///
    /// - Parameter input: What the work is made for.
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
        core.start(run, self.makeWork(input))
        return Execution(signal: run.signal, stop: { run.cancel() })
    }
}

extension Command where Input == Void {
    /// Starts the work of a command without an input, or refuses to.
    ///
    /// - Returns: As ``execute(_:)``.
    @inlinable
    @discardableResult
    public func execute() -> Execution<Output, Failure> {
        self.execute(())
    }
}

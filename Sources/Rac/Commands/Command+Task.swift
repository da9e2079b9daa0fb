extension Command {
    /// Makes a command whose work is an asynchronous function with a result.
    ///
    /// The work runs as a task, one per execution. Its result is the execution's one value, and `Void` is a result, too.
    /// Cancelling the execution cancels the task; the command is executing until the work has returned. Semantics:
    /// docs/semantics.md, command-20 and command-23.
    ///
    /// - Parameters:
    ///   - scheduler: Runs announcements and the start of work, as in the other initializers; the work itself runs as a
    ///     task.
    ///   - condition: Whether it may be executed, apart from running work, as in the other initializers.
    ///   - allowsConcurrentExecution: Whether several executions may run at once.
    ///   - work: Called once per accepted execution; its error becomes the execution's failure.
    @_disfavoredOverload
    @inlinable
    public convenience init(
        on scheduler: some Scheduler = ImmediateScheduler(),
        enabledIf condition: some SignalSource<Bool, Never> = Signal<Bool, Never>.just(true),
        allowsConcurrentExecution: Bool = false,
        _ work: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) {
        self.init(
            on: scheduler,
            enabledIf: condition.signal,
            allowsConcurrentExecution: allowsConcurrentExecution,
            working: { input, run in
                run.signal { (sink) async throws(Failure) in sink.send(try await work(input)) }
            }
        )
    }

    /// Makes a command whose work is an asynchronous function that sends values on its way.
    ///
    /// The work runs as a task, one per execution. The execution has the values that the work sends, and completes when
    /// the work returns. Cancelling the execution cancels the task, and drops later values; the command is executing until
    /// the work has returned. Semantics: docs/semantics.md, command-20 and command-23.
    ///
    /// - Parameters:
    ///   - scheduler: Runs announcements and the start of work, as in the other initializers; the work itself runs as a
    ///     task.
    ///   - condition: Whether it may be executed, apart from running work, as in the other initializers.
    ///   - allowsConcurrentExecution: Whether several executions may run at once.
    ///   - work: Called once per accepted execution; its error becomes the execution's failure. Its second parameter
    ///     sends a value, from any thread.
    @_disfavoredOverload
    @inlinable
    public convenience init(
        on scheduler: some Scheduler = ImmediateScheduler(),
        enabledIf condition: some SignalSource<Bool, Never> = Signal<Bool, Never>.just(true),
        allowsConcurrentExecution: Bool = false,
        _ work:
            @escaping @Sendable (Input, _ progress: @escaping @Sendable (Output) -> Void) async throws(Failure) -> Void
    ) {
        self.init(
            on: scheduler,
            enabledIf: condition.signal,
            allowsConcurrentExecution: allowsConcurrentExecution,
            working: { input, run in
                run.signal { (sink) async throws(Failure) in try await work(input) { sink.send($0) } }
            }
        )
    }

    /// Makes a command whose work is an asynchronous function that runs on an executor, such as one of virtual time.
    ///
    /// - Parameters:
    ///   - executor: Runs the tasks of the work.
    ///   - condition: Whether it may be executed, apart from running work, as in the other initializers.
    ///   - allowsConcurrentExecution: Whether several executions may run at once.
    ///   - work: Called once per accepted execution, as in the other initializers.
    package convenience init(
        workingOn executor: any TaskExecutor,
        enabledIf condition: some SignalSource<Bool, Never>,
        allowsConcurrentExecution: Bool,
        _ work:
            @escaping @Sendable (Input, _ progress: @escaping @Sendable (Output) -> Void) async throws(Failure) -> Void
    ) {
        self.init(
            on: ImmediateScheduler(),
            enabledIf: condition.signal,
            allowsConcurrentExecution: allowsConcurrentExecution,
            working: { input, run in
                run.signal(on: executor) { (sink) async throws(Failure) in try await work(input) { sink.send($0) } }
            }
        )
    }
}

public import Rac
public import RacConnection

extension Client {
    /// Waits until there is a connection.
    ///
    /// - Parameter timeout: The longest wait; nil waits as long as it takes.
    /// - Throws: `ClientError` with code `timedOut`, `cancelled`, `closed`, or why the daemon refuses this client.
    public func waitUntilLive(timeout: Duration? = nil) async throws(ClientError) {
        let outcome = await Waiting.first(of: self.connection.signal, within: timeout) {
            state -> Result<Void, ClientError>? in
            guard let obstacle = state.obstacle(to: self.address) else { return .success(()) }
            return state.isOver ? .failure(obstacle) : nil
        }
        let reason = if case .lost(let error, _) = self.connection.value { error.message } else { nil as String? }
        guard let outcome else { throw Waiting.end("no connection to racd at \(self.address)", because: reason) }
        try outcome.get()
    }
}

extension Command where Failure == ClientError {
    /// Waits until the command may be executed.
    ///
    /// - Parameter timeout: The longest wait; nil waits as long as it takes, over lost connections too.
    /// - Throws: `ClientError` with code `timedOut`, `cancelled`, `closed`, or why the daemon refuses this client or does
    ///   not let it observe the command.
    public func whenEnabled(timeout: Duration? = nil) async throws(ClientError) {
        let news = combineLatest(self.isEnabled, self.obstacle ?? .constant(nil))
        let outcome = await Waiting.first(of: news.signal, within: timeout) {
            (isEnabled, obstacle) -> Result<Void, ClientError>? in
            if isEnabled { return .success(()) }
            return obstacle.flatMap { $0.code == .connectionLost ? nil : .failure($0) }
        }
        guard let outcome else { throw Waiting.end("the command has not been enabled", because: self.hindrance) }
        try outcome.get()
    }

    /// Why the command may not be executed.
    private var hindrance: String {
        if let obstacle = self.obstacle?.value { return obstacle.message }
        if self.isExecuting.value { return "it is executing" }
        return self.obstacle == nil
            ? "its condition does not hold" : "it has no host, or its host does not allow an execution now"
    }

    /// Executes the command and waits for the end, for some time.
    ///
    ///     try await blink.whenEnabled(timeout: .seconds(5))
    ///     try await blink.run(3, timeout: .seconds(60))
    ///
    /// The call decides permission on the caller's actor, as `execute` does, and waits for none. When the time is over, or
    /// the task is cancelled, the execution is cancelled; a task that is cancelled already starts none. The host may
    /// take longer to stop: see ``Client/command(_:as:returning:on:)``. Semantics: docs/semantics.md, command-21.
    ///
    /// - Parameters:
    ///   - input: The input of the work.
    ///   - timeout: The longest wait for the end; nil waits as long as it takes.
    ///   - actor: The caller's actor.
    /// - Returns: The last value, or nil if the work completed without one.
    /// - Throws: `ClientError` with code `timedOut`, with `notEnabled` for a refusal, with `cancelled`, or the failure of
    ///   the work.
    @discardableResult
    public func run(
        _ input: Input,
        timeout: Duration? = nil,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> Output? {
        guard !Task.isCancelled else { throw .cancelledWait }
        let execution = self.execute(input)
        let isLate = Flag()
        let alarm = timeout.map { time in
            Task {
                try await Task.sleep(for: time)
                isLate.set()
                execution.cancel()
            }
        }
        defer { alarm?.cancel() }
        do throws(CommandError<ClientError>) {
            return try await execution.lastValue(isolation: actor)
        } catch {
            if case .cancelled = error, isLate.isSet { throw Waiting.end("the execution has not ended") }
            throw ClientError(error)
        }
    }
}

extension Command where Failure == ClientError {
    /// Executes a command whose work sends a value, and waits for its last one.
    ///
    ///     let square = try client.command("square", as: Int.self, returning: Int.self)
    ///     try await square.whenEnabled()
    ///     let nine: Int = try await square.call(3)
    ///
    /// - Parameters:
    ///   - input: The input of the work.
    ///   - timeout: The longest wait for the end; nil waits as long as it takes.
    ///   - actor: The caller's actor.
    /// - Returns: The last value.
    /// - Throws: As ``run(_:timeout:isolation:)``, and `ClientError` with code `terminated` if the work completed without
    ///   a value.
    @discardableResult
    public func call(
        _ input: Input,
        timeout: Duration? = nil,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> Output {
        if let value = try await self.run(input, timeout: timeout, isolation: actor) { return value }
        throw ClientError(.terminated, "the execution completed without a value: `run` takes that")
    }
}

extension Command where Input == Void, Failure == ClientError {
    /// Executes a command without an input whose work sends a value, and waits for its last one.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for the end; nil waits as long as it takes.
    ///   - actor: The caller's actor.
    /// - Returns: As ``call(_:timeout:isolation:)``.
    /// - Throws: As ``call(_:timeout:isolation:)``.
    @discardableResult
    public func call(
        timeout: Duration? = nil,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> Output {
        try await self.call((), timeout: timeout, isolation: actor)
    }

    /// Executes a command without an input and waits for the end, for some time.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for the end; nil waits as long as it takes.
    ///   - actor: The caller's actor.
    /// - Returns: As ``run(_:timeout:isolation:)``.
    /// - Throws: As ``run(_:timeout:isolation:)``.
    @discardableResult
    public func run(
        timeout: Duration? = nil,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> Output? {
        try await self.run((), timeout: timeout, isolation: actor)
    }
}

/// Waits for one value of a signal, for some time.
private enum Waiting {
    /// The first outcome that the closure makes of a value; nil if the time is over or the task was cancelled.
    static func first<Value: Sendable, Outcome: Sendable>(
        of signal: Signal<Value, Never>,
        within timeout: Duration?,
        _ outcome: @escaping @Sendable (Value) -> Outcome?
    ) async -> Outcome? {
        await withTaskGroup(of: Outcome?.self) { group in
            group.addTask {
                for await value in signal.values {
                    if let outcome = outcome(value) { return outcome }
                }
                return nil
            }
            if let timeout {
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// The error of a wait without an outcome.
    static func end(_ message: String, because reason: String? = nil) -> ClientError {
        guard !Task.isCancelled else { return .cancelledWait }
        return ClientError(.timedOut, "\(message) in time\(reason.map { ": \($0)" } ?? "")")
    }
}

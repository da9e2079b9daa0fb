extension Command {
    /// Executes the command and waits for the end.
    ///
    /// The call decides permission on the caller's actor, as ``execute(_:)`` does. Cancelling the task cancels the
    /// execution; a task that is cancelled already starts none. Semantics: docs/semantics.md, command-21.
    ///
    /// - Parameters:
    ///   - input: The input of the work.
    ///   - actor: The caller's actor.
    /// - Returns: The last value, or nil if the work completed without one.
    /// - Throws: ``CommandError/notEnabled`` for a refusal, ``CommandError/cancelled`` after a cancellation, or the
    ///   failure of the work.
    @_disfavoredOverload
    @inlinable
    @discardableResult
    public func run(
        _ input: Input,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(CommandError<Failure>) -> Output? {
        guard !Task.isCancelled else { throw .cancelled }
        return try await self.execute(input).lastValue(isolation: actor)
    }
}

extension Command where Input == Void {
    /// Executes a command without an input and waits for the end.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: As ``run(_:isolation:)``.
    /// - Throws: As ``run(_:isolation:)``.
    @_disfavoredOverload
    @inlinable
    @discardableResult
    public func run(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(CommandError<Failure>) -> Output? {
        try await self.run((), isolation: actor)
    }
}

extension Execution {
    /// Waits for the end and returns the last value; cancelling the task cancels the execution.
    @inlinable
    package func lastValue(
        isolation actor: isolated (any Actor)?
    ) async throws(CommandError<Failure>) -> Output? {
        // Also in a task that is cancelled, the end comes: cancelling the execution causes it.
        let outcome: Result<Output?, CommandError<Failure>> = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let last = SerialCell(Output?.none)
                self.signal.observe(
                    value: { last.state = $0 },
                    end: { ending in
                        switch ending {
                        case .completed: continuation.resume(returning: .success(last.state))
                        case .failed(let failure): continuation.resume(returning: .failure(failure))
                        }
                    }
                )
            }
        } onCancel: {
            self.cancel()
        }
        return try outcome.get()
    }
}

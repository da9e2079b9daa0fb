extension Command {
    /// Executes the command for each value of a signal, until its end.
    ///
    /// A value that comes while the command is not enabled is refused: it is in ``refusals`` and starts no work later.
    /// Several signals may execute one command. Semantics: docs/semantics.md, command-22.
    ///
    /// - Parameter source: Its values are the inputs. Its subscription is disposed when the command is released; it does
    ///   not keep the command alive.
    /// - Returns: The handle that undoes it; running work goes on, and releasing the handle does nothing.
    @inlinable
    @discardableResult
    public func bind(to source: some SignalSource<Input, Never>) -> Subscription {
        source.signal.start(in: self.sources, value: { [weak self] in self?.execute($0) }, end: { _ in })
    }
}

/// Executes a command for each value of a signal, until its end.
///
/// - Parameters:
///   - command: Refuses values while it is not enabled, as in ``Command/bind(to:)``.
///   - source: The signal of the inputs.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~ <Input, Output, Failure>(
    command: Command<Input, Output, Failure>,
    source: some SignalSource<Input, Never>
) -> Subscription {
    command.bind(to: source)
}

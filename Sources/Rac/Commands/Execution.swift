/// One run of a command, or a refusal to run it.
///
/// The run goes on whether or not it is held or observed. Semantics: docs/semantics.md, command-4, command-5,
/// command-8, command-17, command-18.
public struct Execution<Output: Sendable, Failure: Error>: SignalSource {
    /// All events of the work, also for late observers; a refusal is a failure at once.
    public let signal: Signal<Output, CommandError<Failure>>

    @usableFromInline let stop: @Sendable () -> Void

    /// An execution that was refused.
    @inlinable
    init() {
        self.signal = .fail(.notEnabled)
        self.stop = {}
    }

    @inlinable
    init(signal: Signal<Output, CommandError<Failure>>, stop: @escaping @Sendable () -> Void) {
        self.signal = signal
        self.stop = stop
    }

    /// Disposes the work, unless it has ended: its listeners get the failure ``CommandError/cancelled``.
    ///
    /// Observers of the command's errors get nothing.
    @inlinable
    public func cancel() {
        self.stop()
    }
}

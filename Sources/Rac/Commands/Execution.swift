/// One run of a command, or a refusal to run it.
///
/// The run goes on whether or not it is held or observed. Semantics: docs/semantics.md, command-4, command-5,
/// command-8, command-17, command-18.
public struct Execution<Output: Sendable, Failure: Error>: SignalSource {
    /// All events of the work, also for late observers; a refusal is a failure at once.
    public let signal: Signal<Output, CommandError<Failure>>

    /// Nil if it was refused.
    @usableFromInline let run: (any StoppableRun)?

    /// An execution that was refused.
    @inlinable
    init() {
        self.signal = .fail(.notEnabled)
        self.run = nil
    }

    @inlinable
    init(signal: Signal<Output, CommandError<Failure>>, run: any StoppableRun) {
        self.signal = signal
        self.run = run
    }

    /// Disposes the work, unless it has ended: its listeners get the failure ``CommandError/cancelled``.
    ///
    /// Observers of the command's errors get nothing. The command is executing until an asynchronous function that is
    /// its work has returned. Semantics: docs/semantics.md, command-18 and command-23.
    @inlinable
    public func cancel() {
        self.run?.cancel()
    }

    /// Calls back once, when the command is free of this execution: at once, on its thread, if it is.
    package func whenFree(_ callBack: @escaping @Sendable () -> Void) {
        if let run { run.whenFree(callBack) } else { callBack() }
    }
}

/// A run as its execution knows it.
@usableFromInline
protocol StoppableRun: AnyObject, Sendable {
    func cancel()
    func whenFree(_ callBack: @escaping @Sendable () -> Void)
}

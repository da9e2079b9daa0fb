/// A plain disposable: an action that runs at the first disposal and never again.
///
/// Releasing the last reference does not run the action; ``ScopedDisposable`` does that. Semantics: docs/semantics.md,
/// disposable-1, disposable-2.
public final class AnyDisposable: Disposable {
    private let action: Guarded<GuardedAction?>

    /// Makes a disposable of an action.
    ///
    /// - Parameter action: Runs on the first disposing thread, with no lock held.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Guarded(GuardedAction(action))
    }

    /// Whether the action has begun.
    public var isDisposed: Bool {
        self.action.withLock { $0 == nil }
    }

    /// Runs the action, the first time.
    public func dispose() {
        let action = self.action.withLock { action in
            defer { action = nil }
            return action
        }
        action?.run()
    }
}

/// A place for one disposable that can be replaced by another.
///
/// Semantics: docs/semantics.md, disposable-5, disposable-6. Unlike RACSerialDisposable's, assigning ``inner`` disposes
/// the one before; ``swap(_:)`` does not.
public final class SerialDisposable: Disposable {
    private struct State {
        var inner: (any Disposable)?
        var isDisposed = false
    }

    private let state: Guarded<State>

    /// Makes a serial disposable.
    ///
    /// - Parameter inner: What it holds at first.
    public init(_ inner: (any Disposable)? = nil) {
        self.state = Guarded(State(inner: inner))
    }

    /// Whether the place has been closed.
    public var isDisposed: Bool {
        self.state.withLock { $0.isDisposed }
    }

    /// What is held now; assigning disposes what was held before, or the newcomer if the place has been closed.
    public var inner: (any Disposable)? {
        get { self.state.withLock { $0.inner } }
        set { self.swap(newValue)?.dispose() }
    }

    /// Puts in another disposable and hands back the old one undisposed.
    ///
    /// - Parameter newcomer: What to hold from now on; disposed at once if the place has been closed.
    /// - Returns: What was held until now.
    public func swap(_ newcomer: (any Disposable)?) -> (any Disposable)? {
        let (kept, old) = self.state.withLock { state -> (Bool, (any Disposable)?) in
            guard !state.isDisposed else { return (false, nil) }
            defer { state.inner = newcomer }
            return (true, state.inner)
        }
        if !kept { newcomer?.dispose() }
        return old
    }

    /// Disposes what is held and closes the place.
    public func dispose() {
        let inner = self.state.withLock { state in
            defer { state = State(inner: nil, isDisposed: true) }
            return state.inner
        }
        inner?.dispose()
    }
}

/// A place for one disposable that can be replaced by another.
///
/// Semantics: docs/semantics.md, disposable-5, disposable-6. Assigning ``inner`` disposes the earlier member, unlike in
/// RACSerialDisposable; ``swap(_:)`` does not.
public final class SerialDisposable: Disposable {
    private struct State {
        var inner: (any Disposable)?
        var isDisposed = false
    }

    private let state: Guarded<State>

    /// Makes a serial disposable.
    ///
    /// - Parameter inner: The first member.
    public init(_ inner: (any Disposable)? = nil) {
        self.state = Guarded(State(inner: inner))
    }

    /// Whether the place has been closed.
    public var isDisposed: Bool {
        self.state.withLock { $0.isDisposed }
    }

    /// The present member.
    ///
    /// Assigning disposes the earlier one, or the newcomer if the place has been closed.
    public var inner: (any Disposable)? {
        get { self.state.withLock { $0.inner } }
        set { self.swap(newValue)?.dispose() }
    }

    /// Puts in another disposable and returns the earlier one undisposed.
    ///
    /// - Parameter newcomer: The next member; disposed at once if the place has been closed.
    /// - Returns: The earlier member.
    public func swap(_ newcomer: (any Disposable)?) -> (any Disposable)? {
        let (kept, old) = self.state.withLock { state -> (Bool, (any Disposable)?) in
            guard !state.isDisposed else { return (false, nil) }
            defer { state.inner = newcomer }
            return (true, state.inner)
        }
        if !kept { newcomer?.dispose() }
        return old
    }

    /// Disposes the member and closes the place.
    public func dispose() {
        let inner = self.state.withLock { state in
            defer { state = State(inner: nil, isDisposed: true) }
            return state.inner
        }
        inner?.dispose()
    }
}

/// Many disposables as one.
///
/// The members are disposed outside the lock. So one of them may add another, which is disposed, too. Semantics:
/// docs/semantics.md, disposable-3, disposable-4. ReactiveObjC: RACCompoundDisposable.
public final class CompositeDisposable: Disposable {
    private struct State {
        var members = DisposableMembers()
        var isDisposed = false
    }

    private let state = Guarded(State())

    /// Makes a composite.
    ///
    /// - Parameter members: Its first members.
    public init(_ members: [any Disposable] = []) {
        for member in members {
            self.add(member)
        }
    }

    /// Whether the disposal of the members has begun.
    public var isDisposed: Bool {
        self.state.withLock { $0.isDisposed }
    }

    /// Adds a member, or disposes it at once if the composite has been disposed.
    ///
    /// A member that is already disposed is not kept.
    ///
    /// - Parameter member: A disposable that is not the composite itself.
    public func add(_ member: any Disposable) {
        precondition(member !== self, "A composite cannot be a member of itself.")
        guard !member.isDisposed else { return }
        let kept = self.state.withLock { $0.members.add(member) }
        if !kept { member.dispose() }
    }

    /// Forgets a member without disposing it.
    ///
    /// - Parameter member: The member; the call does nothing if it is none.
    public func remove(_ member: any Disposable) {
        self.state.withLock { $0.members.remove(member) }
    }

    /// Disposes each member, in the order of adding.
    public func dispose() {
        let leaving = self.state.withLock { state in
            state.isDisposed = true
            return state.members.close()
        }
        leaving.disposeMembers()
    }
}

/// Many disposables as one.
///
/// The members are disposed outside the lock, so one of them may add another: it is disposed too. Semantics:
/// docs/semantics.md, disposable-3, disposable-4. ReactiveObjC: RACCompoundDisposable.
public final class CompositeDisposable: Disposable {
    private struct State {
        var members = DisposableBag()
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
    /// A member that is disposed already is not kept.
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
    /// - Parameter member: What to leave alone from now on; nothing happens if it is no member.
    public func remove(_ member: any Disposable) {
        self.state.withLock { $0.members.remove(member) }
    }

    /// Disposes every member, in the order in which they were added.
    public func dispose() {
        let leaving = self.state.withLock { state in
            state.isDisposed = true
            return state.members.close()
        }
        leaving.disposeMembers()
    }
}

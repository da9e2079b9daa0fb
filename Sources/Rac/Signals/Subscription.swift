public import Synchronization

/// The phase of a subscription.
@usableFromInline
enum SubscriptionPhase: UInt8, AtomicRepresentable, Sendable {
    /// Events pass.
    case open
    /// The end is being delivered; other events do not pass.
    case ending
    /// Disposed or ended; no event passes.
    case closed
}

/// The handle of a running signal.
///
/// Disposing it silences the observer and tears the source down, both once. An end does the same: it is delivered
/// first; then the resources are released. Releasing the handle does nothing. Semantics: docs/semantics.md, signal-5 to
/// signal-8, disposable-8.
///
/// Guards: `phase` is atomic. A lock guards `teardown`; its members are disposed outside the lock. `parent` never
/// changes.
public final class Subscription: Disposable {
    @usableFromInline let phase = Atomic(SubscriptionPhase.open)
    private let teardown = Guarded(DisposableMembers())
    /// The subscription that this one serves; it forgets this one at its end.
    private let parent: Subscription?

    /// Makes the subscription of an observer.
    @usableFromInline
    init() {
        self.parent = nil
    }

    /// Makes the subscription of an operator to one of its sources; it ends with `parent` at the latest.
    @usableFromInline
    init(in parent: Subscription) {
        self.parent = parent
        parent.add(self)
    }

    /// Whether events still pass.
    @inlinable
    var isOpen: Bool {
        self.phase.load(ordering: .acquiring) == .open
    }

    /// Whether the subscription has been disposed or has delivered the end.
    public var isDisposed: Bool { !self.isOpen }

    /// Silences the observer and tears the source down; does nothing the second time or after the end.
    public func dispose() {
        guard self.isOpen else { return }
        let (exchanged, _) = self.phase.compareExchange(
            expected: .open,
            desired: .closed,
            ordering: .acquiringAndReleasing
        )
        if exchanged { self.tearDown() }
    }

    /// Claims the right to deliver the end.
    ///
    /// One caller gets it, and has to call ``tearDown()`` afterwards.
    @usableFromInline
    func claimEnd() -> Bool {
        self.phase.compareExchange(expected: .open, desired: .ending, ordering: .acquiringAndReleasing).exchanged
    }

    /// Disposes all members; later members are disposed as they are added.
    @usableFromInline
    func tearDown() {
        self.phase.store(.closed, ordering: .releasing)
        let leaving = self.teardown.withLock { $0.close() }
        self.parent?.remove(self)
        leaving.disposeMembers()
    }

    /// Ties `member` to this subscription: disposed with it, or at once if it is over.
    @usableFromInline
    func add(_ member: any Disposable) {
        let kept = self.teardown.withLock { $0.add(member) }
        if !kept { member.dispose() }
    }

    /// Keeps an object as long as the subscription lasts.
    @usableFromInline
    package func hold(_ object: (any AnyObject & Sendable)?) {
        guard let object else { return }
        self.add(AnyDisposable { withExtendedLifetime(object) {} })
    }

    /// Forgets `member`.
    @usableFromInline
    func remove(_ member: any Disposable) {
        self.teardown.withLock { $0.remove(member) }
    }
}

public import Synchronization

/// Where a subscription stands.
@usableFromInline
enum SubscriptionPhase: UInt8, AtomicRepresentable, Sendable {
    /// Events pass.
    case open
    /// The end is being delivered; no other event passes.
    case ending
    /// Disposed or ended; nothing passes.
    case closed
}

/// The handle of a running signal.
///
/// Disposing it silences the observer and tears the source down, both once. A terminal event does the same by itself:
/// first it is delivered, then the resources go. Letting go of the handle does nothing. Semantics: docs/semantics.md,
/// signal-5 to signal-8, disposable-8.
///
/// Guards: `phase` by itself; `teardown` by its lock, and what is in it is disposed outside. `parent` never changes.
public final class Subscription: Disposable {
    @usableFromInline let phase = Atomic(SubscriptionPhase.open)
    private let teardown = Guarded(DisposableBag())
    /// The subscription that this one works for, which forgets it when it is over.
    private let parent: Subscription?

    /// Makes the subscription of an observer.
    @usableFromInline
    init() {
        self.parent = nil
    }

    /// Makes the subscription of an operator to one of its sources: it ends with `parent` at the latest.
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

    /// Whether the subscription has been disposed or has heard the end.
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

    /// Claims the right to deliver the end, which one caller gets; it has to ``tearDown()`` afterwards.
    @usableFromInline
    func claimEnd() -> Bool {
        self.phase.compareExchange(expected: .open, desired: .ending, ordering: .acquiringAndReleasing).exchanged
    }

    /// Disposes what was added, and everything that will be.
    @usableFromInline
    func tearDown() {
        self.phase.store(.closed, ordering: .releasing)
        let leaving = self.teardown.withLock { $0.close() }
        self.parent?.remove(self)
        leaving.disposeMembers()
    }

    /// Ties `member` to this subscription: it is disposed with it, at once if that has happened.
    @usableFromInline
    func add(_ member: any Disposable) {
        let kept = self.teardown.withLock { $0.add(member) }
        if !kept { member.dispose() }
    }

    /// Keeps an object for as long as the subscription lasts.
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

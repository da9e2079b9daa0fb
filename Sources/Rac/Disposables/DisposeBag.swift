/// A place for handles that its owner disposes by releasing it.
///
/// It is a ``CompositeDisposable`` in a ``ScopedDisposable``. Isolation: any thread. Semantics: docs/semantics.md,
/// disposable-3, disposable-9. RxSwift: DisposeBag. Combine: a set of AnyCancellable.
public final class DisposeBag: Disposable {
    private let members = CompositeDisposable()

    /// Makes an empty bag.
    public init() {}

    deinit {
        self.members.dispose()
    }

    /// Whether the disposal of the members has begun.
    public var isDisposed: Bool { self.members.isDisposed }

    /// Adds a member, or disposes it at once if the bag has been disposed.
    ///
    /// - Parameter member: A disposable; one that is disposed already is not kept.
    public func add(_ member: any Disposable) {
        self.members.add(member)
    }

    /// Disposes each member, in the order of adding, and each that is added later.
    public func dispose() {
        self.members.dispose()
    }
}

extension Disposable {
    /// Puts this into a bag, which disposes it when it goes.
    ///
    /// - Parameter bag: Its owner is the owner of this.
    public func store(in bag: DisposeBag) {
        bag.add(self)
    }
}

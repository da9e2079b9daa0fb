/// A disposable that disposes when its owner releases it.
///
/// Semantics: docs/semantics.md, disposable-2. ReactiveObjC: RACScopedDisposable.
public final class ScopedDisposable: Disposable {
    private let inner: any Disposable

    /// Ties a disposable to the life of this object.
    ///
    /// - Parameter inner: Disposed at the latest when the last reference to this object goes.
    public init(_ inner: any Disposable) {
        self.inner = inner
    }

    deinit {
        self.inner.dispose()
    }

    /// Whether the disposable inside has been disposed.
    public var isDisposed: Bool { self.inner.isDisposed }

    /// Disposes the disposable inside.
    public func dispose() {
        self.inner.dispose()
    }
}

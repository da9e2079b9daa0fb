/// Work or a resource that can be given up, once.
///
/// Isolation: any thread. Disposing does not wait for a delivery on another thread; that one event may still be seen.
/// Semantics: docs/semantics.md, disposable-1 to disposable-8. ReactiveObjC: RACDisposable.
public protocol Disposable: AnyObject, Sendable {
    /// Whether the disposal has begun, by a call or because nothing is left to give up.
    var isDisposed: Bool { get }

    /// Gives the resource up; a second call does nothing.
    func dispose()
}

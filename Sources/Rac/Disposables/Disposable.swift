/// Something that can be undone or given up, once.
///
/// Isolation: any thread; disposing does not wait for a delivery in progress elsewhere, of which at most the one event
/// under way may still be seen. Semantics: docs/semantics.md, disposable-1 to disposable-8. ReactiveObjC:
/// RACDisposable.
public protocol Disposable: AnyObject, Sendable {
    /// Whether the disposal has begun, by a call or because there is nothing left to give up.
    var isDisposed: Bool { get }

    /// Gives up what this stands for; a second call does nothing.
    func dispose()
}

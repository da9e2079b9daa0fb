/// Tells when an object goes away: the object keeps one of these as a property, and nobody else holds it.
///
/// Isolation: any thread; the end comes on the thread that lets go of the object. Semantics: docs/semantics.md,
/// property-1. ReactiveObjC: rac_willDeallocSignal. ReactiveSwift: Lifetime.
public final class Lifetime: Sendable {
    /// Completes when the lifetime ends, at once for those who come later; it has no values.
    ///
    /// Holding it, or observing it, does not prolong the lifetime.
    public let ended: Signal<Never, Never>

    private let end = Subject<Never, Never>()

    /// Begins a lifetime.
    public init() {
        self.ended = self.end.signal
    }

    deinit {
        self.end.complete()
    }
}

extension Signal {
    /// Passes everything on until a lifetime ends, then completes and cancels the source.
    ///
    /// If the lifetime has ended, the source is never observed and `[done]` comes. Semantics: docs/semantics.md,
    /// operator-4. ReactiveSwift: take(during:).
    ///
    /// - Parameter lifetime: Not held, so the owner of the lifetime may be what the source works for.
    /// - Returns: A prefix of the source.
    public func take(during lifetime: Lifetime) -> Signal<Value, Failure> {
        self.take(until: lifetime.ended)
    }
}

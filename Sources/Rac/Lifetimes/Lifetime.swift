/// Announces the release of an object: the object has it as a property and is its only holder.
///
///     requests.take(during: self.lifetime).onValue { request in log.modify { $0.append(request) } }
///
/// Isolation: any thread; the end comes on the thread that releases the object. Semantics: docs/semantics.md,
/// property-1. ReactiveObjC: rac_willDeallocSignal. ReactiveSwift: Lifetime.
public final class Lifetime: Sendable {
    /// Completes when the lifetime ends, at once for later observers; it sends no values.
    ///
    /// Holding or observing it does not prolong the lifetime.
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
    /// Passes all events until a lifetime ends, then completes and cancels the source.
    ///
    /// If the lifetime has ended, the source is never observed and `[done]` comes. Semantics: docs/semantics.md,
    /// operator-4. ReactiveSwift: take(during:).
    ///
    /// - Parameter lifetime: Not held, so the source may work for the lifetime's owner.
    /// - Returns: A prefix of the source.
    public func take(during lifetime: Lifetime) -> Signal<Value, Failure> {
        self.take(until: lifetime.ended)
    }
}

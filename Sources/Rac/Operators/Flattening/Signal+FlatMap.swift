/// The way in which a signal of signals becomes one signal.
public enum FlattenStrategy: Sendable, Hashable {
    /// Runs each inner signal at once, as it comes.
    case merge
    /// Runs one inner signal after the other, in the order of their coming; the others wait, without a limit.
    case concat
    /// Runs at most this number of inner signals at a time, 1 or more; the others wait in order, without a limit.
    case concurrent(Int)
    /// Runs the newest inner signal only. It disposes the earlier one, whose later events, a failure too, are dropped.
    case latest
}

extension Signal {
    /// Runs a signal for each value and joins their values.
    ///
    /// The result ends when this signal and all inner ones that have not been replaced have ended. Any failure ends it
    /// at once and disposes the rest. Empty `[done]`; an empty inner signal adds no value. Semantics:
    /// docs/semantics.md, C087 to C097. ReactiveObjC: RACSignal flattenMap, flatten: and switchToLatest.
    ///
    /// - Parameters:
    ///   - strategy: The number of inner signals that run at a time.
    ///   - transform: Called once per value, in the turn of its signal.
    /// - Returns: The values of the inner signals, one at a time.
    @inlinable
    public func flatMap<Output>(
        _ strategy: FlattenStrategy,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        switch strategy {
        case .merge: self.flatMap(atMost: .max, transform)
        case .concat: self.flatMap(atMost: 1, transform)
        case .concurrent(let limit): self.flatMap(atMost: limit, transform)
        case .latest:
            Signal<Output, Failure>(serial: { sink in
                LatestFlattening(transform: transform, sink: sink).run(self)
            })
        }
    }

    /// Runs a signal that cannot fail for each value and joins their values.
    ///
    /// - Parameters:
    ///   - strategy: The number of inner signals that run at a time.
    ///   - transform: Called once per value, in the turn of its signal.
    /// - Returns: The values of the inner signals, one at a time.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Output>(
        _ strategy: FlattenStrategy,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        self.flatMap(strategy) { transform($0).setFailureType(to: Failure.self) }
    }

    @inlinable
    func flatMap<Output>(
        atMost limit: Int,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        precondition(limit > 0, "A flattened signal needs room for at least one inner signal.")
        return Signal<Output, Failure>(serial: { sink in
            ConcurrentFlattening(limit: limit, transform: transform, sink: sink).run(self)
        })
    }

    /// Joins the signals that this signal sends.
    ///
    /// - Parameter strategy: The number of inner signals that run at a time.
    /// - Returns: The result of ``flatMap(_:_:)`` with each value as its own signal.
    @inlinable
    public func flatten<Output>(_ strategy: FlattenStrategy) -> Signal<Output, Failure>
    where Value == Signal<Output, Failure> {
        self.flatMap(strategy) { $0 }
    }

    /// Follows the newest of the signals that this signal sends.
    ///
    /// It flattens with ``FlattenStrategy/latest``. Semantics: docs/semantics.md, C094 to C097. ReactiveObjC: RACSignal
    /// switchToLatest.
    ///
    /// - Returns: The values of the newest inner signal at each time.
    @inlinable
    public func switchToLatest<Output>() -> Signal<Output, Failure> where Value == Signal<Output, Failure> {
        self.flatten(.latest)
    }
}

extension Signal where Failure == Never {
    /// Runs a signal that may fail for each value of this one, which cannot, and joins their values.
    ///
    /// - Parameters:
    ///   - strategy: The number of inner signals that run at a time.
    ///   - transform: Called once per value, in the turn of its signal.
    /// - Returns: The values of the inner signals, one at a time.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Output, InnerFailure>(
        _ strategy: FlattenStrategy,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, InnerFailure>
    ) -> Signal<Output, InnerFailure> {
        self.setFailureType(to: InnerFailure.self).flatMap(strategy, transform)
    }
}

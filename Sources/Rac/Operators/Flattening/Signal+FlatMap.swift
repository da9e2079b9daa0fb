/// How a signal of signals becomes one signal.
public enum FlattenStrategy: Sendable, Hashable {
    /// Runs every inner signal at once, as it comes.
    case merge
    /// Runs one inner signal after the other, in the order in which they came; the others wait, however many.
    case concat
    /// Runs at most so many inner signals at a time, 1 or more; the others wait in order, however many.
    case concurrent(Int)
}

extension Signal {
    /// Runs a signal for each value and joins what they say.
    ///
    /// The result ends when this signal and all inner ones have ended; any failure ends it at once and disposes the rest.
    /// Semantics: C087 to C092, RACSignal flattenMap and flatten:.
    ///
    /// - Parameters:
    ///   - strategy: How many inner signals run at a time.
    ///   - transform: Called once per value, when its signal's turn has come.
    /// - Returns: The values of the inner signals, one at a time.
    @inlinable
    public func flatMap<Output>(
        _ strategy: FlattenStrategy,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        let limit =
            switch strategy {
            case .merge: Int.max
            case .concat: 1
            case .concurrent(let limit): limit
            }
        precondition(limit > 0, "A flattened signal needs room for at least one inner signal.")
        return Signal<Output, Failure>(serial: { sink in
            ConcurrentFlattening(limit: limit, transform: transform, sink: sink).run(self)
        })
    }

    /// Joins the signals that this signal sends.
    ///
    /// - Parameter strategy: How many of them run at a time.
    /// - Returns: As ``flatMap(_:_:)`` with each value as its own signal.
    @inlinable
    public func flatten<Output>(_ strategy: FlattenStrategy) -> Signal<Output, Failure>
    where Value == Signal<Output, Failure> {
        self.flatMap(strategy) { $0 }
    }
}

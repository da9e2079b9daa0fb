extension Signal {
    /// Counts the values, and sends the count when the source completes.
    ///
    /// Empty `[0, done]`; a failure passes and the count is lost; never `[]`. Semantics: docs/semantics.md, C403.
    /// Combine: count.
    ///
    /// - Returns: One number.
    @inlinable
    public func count() -> Signal<Int, Failure> {
        self.gather(0) { count, _ in
            count += 1
        } finish: {
            $1.send($0)
        }
    }

    /// Passes on the least value when the source completes, by a given order.
    ///
    /// Of equal values it is the first. Empty `[done]`; a failure passes and the value is lost; never `[]`. Semantics:
    /// docs/semantics.md, C404. Combine: min(by:).
    ///
    /// - Parameter isLess: Whether its first argument comes before its second; called once per value and observer.
    /// - Returns: One value or none.
    @inlinable
    public func min(by isLess: @escaping @Sendable (Value, Value) -> Bool) -> Signal<Value, Failure> {
        self.favourite(isReplaced: { isLess($1, $0) })
    }

    /// Passes on the greatest value when the source completes, by a given order.
    ///
    /// Of equal values it is the first. Empty `[done]`; a failure passes and the value is lost; never `[]`. Semantics:
    /// docs/semantics.md, C404. Combine: max(by:).
    ///
    /// - Parameter isLess: Whether its first argument comes before its second; called once per value and observer.
    /// - Returns: One value or none.
    @inlinable
    public func max(by isLess: @escaping @Sendable (Value, Value) -> Bool) -> Signal<Value, Failure> {
        self.favourite(isReplaced: isLess)
    }

    /// Passes on the value that no later one replaced, when the source completes.
    ///
    /// - Parameter isReplaced: Whether its first argument, the favourite so far, gives way to its second.
    /// - Returns: One value or none.
    @inlinable
    func favourite(isReplaced: @escaping @Sendable (Value, Value) -> Bool) -> Signal<Value, Failure> {
        self.gather(Value?.none) { favourite, value in
            if let present = favourite, !isReplaced(present, value) { return }
            favourite = value
        } finish: { favourite, sink in
            if let favourite { sink.send(favourite) }
        }
    }
}

extension Signal where Value: Comparable {
    /// Passes on the least value when the source completes.
    ///
    /// Empty `[done]`; a failure passes and the value is lost; never `[]`. Semantics: docs/semantics.md, C404. Combine:
    /// min.
    ///
    /// - Returns: One value or none.
    @inlinable
    public func min() -> Signal<Value, Failure> {
        self.min { $0 < $1 }
    }

    /// Passes on the greatest value when the source completes.
    ///
    /// Empty `[done]`; a failure passes and the value is lost; never `[]`. Semantics: docs/semantics.md, C404. Combine:
    /// max.
    ///
    /// - Returns: One value or none.
    @inlinable
    public func max() -> Signal<Value, Failure> {
        self.max { $0 < $1 }
    }
}

extension Signal {
    /// Passes on what a function makes of each value.
    ///
    /// Empty `[done]`; a failure passes. Semantics: C014, RACStream map.
    ///
    /// - Parameter transform: Called once per value and observer.
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Signal<Output, Failure> {
        self.lift { sink in
            { value in sink.send(transform(value)) }
        }
    }

    /// Passes on the values that pass a test.
    ///
    /// Empty `[done]`; a failure passes. Semantics: C015, RACStream filter.
    ///
    /// - Parameter isIncluded: Called once per value and observer.
    /// - Returns: The values for which it answers true, and the source's end.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.lift { sink in
            { value in
                if isIncluded(value) { sink.send(value) }
            }
        }
    }
}

extension Signal {
    /// Passes on a function of each value.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C014. ReactiveObjC: RACStream map.
    ///
    /// - Parameter transform: Called once per value and observer.
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Signal<Output, Failure> {
        self.lift { sink in
            { value in sink.send(transform(value)) }
        }
    }

    /// Passes on a constant for each value.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C016. ReactiveObjC: RACStream mapReplace:.
    ///
    /// - Parameter constant: The constant.
    /// - Returns: As many constants as the source has values, and its end.
    @inlinable
    public func map<Output: Sendable>(to constant: Output) -> Signal<Output, Failure> {
        self.map { _ in constant }
    }

    /// Passes on a function of each value, and no value where it returns nil.
    ///
    /// Empty `[done]`; a failure passes.
    ///
    /// - Parameter transform: Called once per value and observer.
    /// - Returns: The results that are not nil, and the source's end.
    @inlinable
    public func compactMap<Output>(_ transform: @escaping @Sendable (Value) -> Output?) -> Signal<Output, Failure> {
        self.lift { sink in
            { value in
                if let output = transform(value) { sink.send(output) }
            }
        }
    }
}

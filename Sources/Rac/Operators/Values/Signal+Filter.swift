extension Signal {
    /// Passes on the values that pass a test.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C015. ReactiveObjC: RACStream filter.
    ///
    /// - Parameter isIncluded: Called once per value and observer.
    /// - Returns: The values for which it returns true, and the source's end.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.lift { sink in
            { value in
                if isIncluded(value) { sink.send(value) }
            }
        }
    }

    /// Leaves out every value; only the end remains.
    ///
    /// Empty `[done]`, failing `[fail]`, never `[]`. Semantics: docs/semantics.md, C017. ReactiveObjC: RACSignal
    /// ignoreValues.
    ///
    /// - Returns: The source's end.
    @inlinable
    public func ignoreValues() -> Signal<Value, Failure> {
        Signal(serial: { sink in
            // The closure of the end keeps the sink. Without it the sink would be released, and the subscription with
            // it.
            self.body(Sink(sink.subscription, value: { _ in }, end: { sink.finish($0) }))
        })
    }

    /// Passes on the values that differ from the one before them.
    ///
    /// The very first value passes, nil too. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C026.
    /// ReactiveObjC: RACStream distinctUntilChanged.
    ///
    /// - Parameter areEqual: Called with the last passed value and the present one.
    /// - Returns: The source without repetitions, and its end.
    @inlinable
    public func removeDuplicates(
        by areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Signal<Value, Failure> {
        self.lift { sink in
            let last = SerialCell(Value?.none)
            return { value in
                if let previous = last.state, areEqual(previous, value) { return }
                last.state = value
                sink.send(value)
            }
        }
    }
}

extension Signal where Value: Equatable {
    /// Leaves out the values that are equal to a given one, which may be nil.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACStream ignore:.
    ///
    /// - Parameter unwanted: The value to leave out.
    /// - Returns: The other values, and the source's end.
    @inlinable
    public func ignore(_ unwanted: Value) -> Signal<Value, Failure> {
        self.filter { $0 != unwanted }
    }

    /// Passes on the values that differ from the one before them.
    ///
    /// The very first value passes, nil too. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C026.
    /// ReactiveObjC: RACStream distinctUntilChanged.
    ///
    /// - Returns: The source without repetitions, and its end.
    @inlinable
    public func removeDuplicates() -> Signal<Value, Failure> {
        self.removeDuplicates(by: ==)
    }
}

extension Signal {
    /// Passes on values as long as they pass a test, then completes and cancels the source.
    ///
    /// The value that ends it is not sent. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C041.
    /// ReactiveObjC: RACStream takeWhileBlock:.
    ///
    /// - Parameter isWanted: Called once per value and observer, until it returns false.
    /// - Returns: A prefix of the source.
    @inlinable
    public func take(while isWanted: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.lift { sink in
            { value in
                // A source that is fed by its own output may have a value on its way after the end.
                guard !sink.isClosed else { return }
                if isWanted(value) { sink.send(value) } else { sink.complete() }
            }
        }
    }

    /// Passes on values until one passes a test, then completes and cancels the source.
    ///
    /// The value that ends it is not sent. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACStream takeUntilBlock:.
    ///
    /// - Parameter isLast: Called once per value and observer, until it returns true.
    /// - Returns: A prefix of the source.
    @inlinable
    public func take(untilFirst isLast: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.take(while: { !isLast($0) })
    }

    /// Leaves out values as long as they pass a test.
    ///
    /// The value that ends the skipping is sent. Empty `[done]`; a failure passes, also while values are left out.
    /// Semantics: docs/semantics.md, C042. ReactiveObjC: RACStream skipWhileBlock:.
    ///
    /// - Parameter isUnwanted: Called once per value and observer, until it returns false.
    /// - Returns: The source without a prefix, and its end.
    @inlinable
    public func skip(while isUnwanted: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.lift { sink in
            let isSkipping = SerialCell(true)
            return { value in
                if isSkipping.state, isUnwanted(value) { return }
                isSkipping.state = false
                sink.send(value)
            }
        }
    }

    /// Leaves out values until one passes a test.
    ///
    /// The value that ends the skipping is sent. Empty `[done]`; a failure passes, also while values are left out.
    /// Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACStream skipUntilBlock:.
    ///
    /// - Parameter isFirst: Called once per value and observer, until it returns true.
    /// - Returns: The source without a prefix, and its end.
    @inlinable
    public func skip(untilFirst isFirst: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.skip(while: { !isFirst($0) })
    }
}

extension Signal {
    /// Passes on a running result: a function of the result so far and each value.
    ///
    /// The initial result is not sent, so an empty source gives `[done]`. A failure passes behind the results so far.
    /// Semantics: docs/semantics.md, C028, C029. ReactiveObjC: RACStream scanWithStart:reduce:.
    ///
    /// - Parameters:
    ///   - initial: The partner of the first value, anew for each observer.
    ///   - next: Called once per value and observer.
    /// - Returns: As many results as the source has values, and its end.
    @inlinable
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ next: @escaping @Sendable (Result, Value) -> Result
    ) -> Signal<Result, Failure> {
        self.lift { sink in
            let result = SerialCell(initial)
            return { value in
                result.state = next(result.state, value)
                sink.send(result.state)
            }
        }
    }

    /// Passes on a running result, made with the index of each value.
    ///
    /// Like the function without an index. Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACStream
    /// scanWithStart:reduceWithIndex:.
    ///
    /// - Parameters:
    ///   - initial: The partner of the first value, anew for each observer.
    ///   - next: Called once per value and observer; the first value has index 0.
    /// - Returns: As many results as the source has values, and its end.
    @inlinable
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ next: @escaping @Sendable (Result, Value, _ index: Int) -> Result
    ) -> Signal<Result, Failure> {
        self.lift { sink in
            let progress = SerialCell((result: initial, index: 0))
            return { value in
                progress.state.result = next(progress.state.result, value, progress.state.index)
                progress.state.index += 1
                sink.send(progress.state.result)
            }
        }
    }

    /// Pairs each value with the one before it.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C040. ReactiveObjC: RACStream
    /// combinePreviousWithStart:reduce:.
    ///
    /// - Parameter initial: The predecessor of the first value, anew for each observer.
    /// - Returns: As many pairs as the source has values, and its end.
    @inlinable
    public func combinePrevious(_ initial: Value) -> Signal<(previous: Value, current: Value), Failure> {
        self.lift { sink in
            let last = SerialCell(initial)
            return { value in
                let previous = last.state
                last.state = value
                sink.send((previous, value))
            }
        }
    }
}

extension Signal {
    /// A signal of a function's result or error; the function runs for each observer.
    ///
    /// `[value, done]` or `[fail]`, before observing returns. Semantics: docs/semantics.md, "Operators". ReactiveObjC:
    /// RACSignal try:.
    ///
    /// - Parameter work: Called once per observer, on its thread.
    /// - Returns: One value or a failure.
    @inlinable
    public static func attempt(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            do throws(Failure) {
                sink.send(try work())
                sink.complete()
            } catch {
                sink.fail(error)
            }
        })
    }

    /// Passes on the values that a check accepts; its error is the failure of the result.
    ///
    /// The source is cancelled at the first refusal. Empty `[done]`; a failure of the source passes. Semantics:
    /// docs/semantics.md, C053. ReactiveObjC: RACSignal try:.
    ///
    /// - Parameter check: Called once per value and observer, until it throws.
    /// - Returns: A prefix of the source, or all of it.
    @inlinable
    public func validate(_ check: @escaping @Sendable (Value) throws(Failure) -> Void) -> Signal<Value, Failure> {
        self.tryMap { value throws(Failure) in
            try check(value)
            return value
        }
    }

    /// Passes on a function of each value; its error is the failure of the result.
    ///
    /// The source is cancelled at the first refusal. Empty `[done]`; a failure of the source passes. Semantics:
    /// docs/semantics.md, "Operators". ReactiveObjC: RACSignal tryMap:.
    ///
    /// - Parameter transform: Called once per value and observer, until it throws.
    /// - Returns: As many values as were accepted.
    @inlinable
    public func tryMap<Output>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Output
    ) -> Signal<Output, Failure> {
        self.lift { sink in
            { value in
                // A source that is fed by its own output may have a value on its way after the end.
                guard !sink.isClosed else { return }
                do throws(Failure) {
                    sink.send(try transform(value))
                } catch {
                    sink.fail(error)
                }
            }
        }
    }
}

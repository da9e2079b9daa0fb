extension SignalSource {
    /// The values as an asynchronous sequence that loses none; they wait without bound for a slow reader.
    public var values: SignalValues<Value, Failure> {
        SignalValues(self.signal, policy: .unbounded)
    }

    /// The values as an asynchronous sequence in which the newest wait for a slow reader.
    ///
    /// - Parameter count: The number of waiting values, 1 or more. Older ones are dropped; the end is not.
    /// - Returns: A sequence without the values that its reader was too slow for.
    public func values(keepingNewest count: Int) -> SignalValues<Value, Failure> {
        precondition(count > 0, "A sequence that keeps no value would have none to give.")
        return SignalValues(self.signal, policy: .bufferingNewest(count))
    }

    /// Waits for the first value and cancels the source.
    ///
    /// Isolation: any task; nothing blocks. Semantics: docs/semantics.md, signal-12. ReactiveObjC: RACSignal first.
    ///
    /// - Returns: The value, or nil if the signal completes without one or the task is cancelled.
    /// - Throws: The failure of the signal if that comes before a value.
    public func first() async throws(Failure) -> Value? {
        var values = self.signal.take(1).values.makeAsyncIterator()
        return try await values.next()
    }

    /// Waits for completion and keeps the last value.
    ///
    /// Isolation: any task; nothing blocks. Semantics: docs/semantics.md, signal-12. ReactiveSwift: last.
    ///
    /// - Returns: The value, or nil if the signal completes without one or the task is cancelled.
    /// - Throws: The failure of the signal, also after values.
    public func last() async throws(Failure) -> Value? {
        var values = self.signal.take(last: 1).values.makeAsyncIterator()
        return try await values.next()
    }

    /// Waits for completion and gathers the values.
    ///
    /// Isolation: any task; nothing blocks. Semantics: docs/semantics.md, signal-12. ReactiveObjC: RACSignal toArray.
    ///
    /// - Returns: All values, or those that had come when the task was cancelled.
    /// - Throws: The failure of the signal, also after values.
    public func toArray() async throws(Failure) -> [Value] {
        var (array, values) = ([Value](), self.values.makeAsyncIterator())
        while let value = try await values.next() { array.append(value) }
        return array
    }

    /// Waits for completion; values are dropped.
    ///
    /// Returns early if the task is cancelled. Isolation: any task; nothing blocks. Semantics: docs/semantics.md,
    /// "Operators". ReactiveObjC: RACSignal waitUntilCompleted:.
    ///
    /// - Throws: The failure of the signal.
    public func waitUntilCompleted() async throws(Failure) {
        var values = self.signal.ignoreValues().values.makeAsyncIterator()
        _ = try await values.next()
    }
}

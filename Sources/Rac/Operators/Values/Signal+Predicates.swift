extension Signal {
    /// Answers whether any value passes a test.
    ///
    /// Empty `[false, done]`; a failure counts as the end, `[false, done]`, so the result cannot fail. The source is
    /// cancelled as soon as the answer is known. Semantics: docs/semantics.md, C048. ReactiveObjC: RACSignal any:.
    ///
    /// - Parameter isWanted: Called once per value and observer, until it returns true.
    /// - Returns: One answer.
    @inlinable
    public func contains(where isWanted: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Never> {
        self.decide(true, when: isWanted)
    }

    /// Answers whether all values pass a test.
    ///
    /// Empty `[true, done]`; a failure means no, `[false, done]`, so the result cannot fail. The source is cancelled as
    /// soon as the answer is known. Semantics: docs/semantics.md, C050. ReactiveObjC: RACSignal all:.
    ///
    /// - Parameter isWanted: Called once per value and observer, until it returns false.
    /// - Returns: One answer.
    @inlinable
    public func allSatisfy(_ isWanted: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Never> {
        self.decide(false, when: { !isWanted($0) })
    }

    /// Sends `answer` at the first value for which `isDecisive` is true, the opposite at completion, false after a
    /// failure.
    @inlinable
    func decide(_ answer: Bool, when isDecisive: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Never> {
        Signal<Bool, Never>(serial: { sink in
            self.start(
                in: sink.subscription,
                value: { value in
                    guard !sink.isClosed, isDecisive(value) else { return }
                    sink.send(answer)
                    sink.complete()
                },
                end: { ending in
                    switch ending {
                    case .completed: sink.send(!answer)
                    case .failed: sink.send(false)
                    }
                    sink.complete()
                }
            )
        })
    }
}

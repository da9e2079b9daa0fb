extension Signal {
    /// Goes on with another signal when this one completes.
    ///
    /// A failure of this signal ends the result, and the other one is never observed. Disposal reaches the active one.
    /// Semantics: docs/semantics.md, C075. ReactiveObjC: RACSignal concat.
    ///
    /// - Parameter next: Observed when this signal has completed.
    /// - Returns: The values of both and the end of the second, or of the first if that fails.
    @inlinable
    public func concat(_ next: Signal<Value, Failure>) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            self.start(
                in: sink.subscription,
                value: { sink.send($0) },
                end: { ending in
                    switch ending {
                    case .completed: next.body(sink)
                    case .failed: sink.end(ending)
                    }
                }
            )
        })
    }
}

extension Signal {
    /// Waits for this signal to complete, without its values, and goes on with another.
    ///
    /// A failure of this signal ends the result, and the other one is never observed. If this one never ends, the
    /// result is `[]`. Work that makes the next signal belongs in a ``deferred(_:)`` one. Semantics: docs/semantics.md,
    /// C077. ReactiveObjC: RACSignal then:.
    ///
    /// - Parameter next: Observed when this signal has completed.
    /// - Returns: The events of the other signal.
    @inlinable
    public func then<Output>(_ next: Signal<Output, Failure>) -> Signal<Output, Failure> {
        Signal<Output, Failure>(serial: { sink in
            self.start(
                in: sink.subscription,
                value: { _ in },
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

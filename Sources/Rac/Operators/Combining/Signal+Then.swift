extension Signal {
    /// Waits for this signal to complete, without its values, and goes on with another.
    ///
    /// A failure of this one ends the result, and the other is never observed; if this one never ends, `[]`. Work that
    /// makes the next signal belongs in a ``deferred(_:)`` one. Semantics: docs/semantics.md, C077. ReactiveObjC:
    /// RACSignal then:.
    ///
    /// - Parameter next: Observed when this signal has completed.
    /// - Returns: What the other says.
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

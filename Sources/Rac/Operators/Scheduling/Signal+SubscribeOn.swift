extension Signal {
    /// Observes the source on a scheduler, so that its side effects happen there.
    ///
    /// Events come from wherever the source sends them. Disposal before the scheduler's turn prevents it from running.
    /// Semantics: docs/semantics.md, C185. ReactiveObjC: RACSignal subscribeOn:.
    ///
    /// - Parameter scheduler: Where the body runs.
    /// - Returns: The same events.
    @inlinable
    public func subscribe(on scheduler: some Scheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let work = scheduler.schedule {
                if !sink.isClosed { self.body(sink) }
            }
            sink.subscription.add(work)
        })
    }
}

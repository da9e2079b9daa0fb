extension Signal {
    /// Observes the source on a scheduler, so that its side effects happen there.
    ///
    /// Events come on the source's sending threads. Disposal before the scheduler's turn prevents the run. Semantics:
    /// docs/semantics.md, C185. ReactiveObjC: RACSignal subscribeOn:.
    ///
    /// - Parameter scheduler: Runs the body.
    /// - Returns: The source's events.
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

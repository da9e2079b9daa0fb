extension Signal {
    /// Fails unless the source ends in time.
    ///
    /// Values pass and do not extend the time, which is that of the whole run. Its end cancels the source; an end in
    /// time, or disposal, cancels the clock. Semantics: docs/semantics.md, C122. ReactiveObjC: RACSignal
    /// timeout:onScheduler:.
    ///
    /// - Parameters:
    ///   - interval: The time for the source, from observing on.
    ///   - failure: The failure of the result if it takes longer.
    ///   - scheduler: Delivers that failure.
    /// - Returns: The events of the source, or some of them and the failure.
    @inlinable
    public func timeout(
        after interval: Duration,
        failingWith failure: Failure,
        on scheduler: some TimedScheduler
    ) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let join = sink.serialized()
            join.subscription.add(scheduler.schedule(after: interval) { join.fail(failure) })
            self.body(join)
        })
    }
}

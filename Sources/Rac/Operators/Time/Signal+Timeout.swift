extension Signal {
    /// Fails unless the source ends in time.
    ///
    /// Values pass and do not put it off: the time is that of the whole life. When it is over the source is cancelled;
    /// an end in time, or disposal, cancels the clock. Semantics: docs/semantics.md, C122. ReactiveObjC: RACSignal
    /// timeout:onScheduler:.
    ///
    /// - Parameters:
    ///   - interval: How long the source may take, from observing on.
    ///   - failure: The failure of the result if it takes longer.
    ///   - scheduler: Where that failure arrives.
    /// - Returns: What the source says, or a part of it and the failure.
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

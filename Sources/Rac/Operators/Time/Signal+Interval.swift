extension Signal where Value == Duration {
    /// A signal that sends the time repeatedly, as a `Duration`.
    ///
    /// A value is the scheduler's ``TimedScheduler/now``, which counts from a fixed moment: no date, and no number of ticks
    /// (``Signal/enumerated()`` has that). The first value comes after one interval; it never ends. Disposal stops the
    /// timer. Semantics: docs/semantics.md, C123. ReactiveObjC: RACSignal interval:onScheduler:.
    ///
    /// - Parameters:
    ///   - interval: The time between two values, more than zero.
    ///   - scheduler: Delivers the values, and has the clock that they show.
    /// - Returns: A cold signal: each observer has a timer of its own.
    @inlinable
    public static func interval(
        every interval: Duration,
        on scheduler: some TimedScheduler
    ) -> Signal<Duration, Failure> {
        Signal(serial: { sink in
            let timer = scheduler.schedule(after: interval, repeatingEvery: interval) { sink.send(scheduler.now) }
            sink.subscription.add(timer)
        })
    }
}

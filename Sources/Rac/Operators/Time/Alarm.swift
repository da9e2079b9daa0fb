/// One piece of scheduled work at a time, for one subscription, whose disposal cancels it.
///
/// Isolation: set by one thread at a time, inside the gate of an operator.
@usableFromInline
struct Alarm<Clock: TimedScheduler>: Sendable {
    @usableFromInline let scheduler: Clock
    @usableFromInline let handle = SerialDisposable()

    @inlinable
    init(on scheduler: Clock, in subscription: Subscription) {
        self.scheduler = scheduler
        subscription.add(self.handle)
    }

    /// The time on the scheduler's clock.
    @inlinable
    var now: Duration { self.scheduler.now }

    /// Lets `work` run once, later, in place of earlier work.
    ///
    /// If the work runs before this returns, it has to wait for the gate that the caller is in.
    @inlinable
    func set(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        self.handle.inner = self.scheduler.schedule(after: delay, work)
    }

    /// Prevents the work, unless it has begun.
    @inlinable
    func cancel() {
        self.handle.inner = nil
    }
}

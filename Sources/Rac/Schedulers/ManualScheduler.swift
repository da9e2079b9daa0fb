/// Queues work, and runs it on request, on the requesting thread.
///
/// For tests of hops between schedulers that take no time; ``TestScheduler`` has a clock. Isolation: any thread.
public final class ManualScheduler: Scheduler {
    private let waiting = Guarded(Fifo<ScheduledWork>())

    /// Makes a scheduler with an empty queue.
    public init() {}

    /// Queues work.
    ///
    /// - Parameter work: Runs once, in its turn.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable {
        let scheduled = ScheduledWork(work)
        self.waiting.withLock { $0.append(scheduled) }
        return scheduled
    }

    /// Runs the first piece of work that has not been prevented.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func step() -> Bool {
        while let next = self.waiting.withLock({ $0.popFirst() }) {
            guard !next.isDisposed else { continue }
            next.run()
            return true
        }
        return false
    }

    /// Runs all queued work, and the work that it queues, until none is left.
    public func drain() {
        while self.step() {}
    }
}

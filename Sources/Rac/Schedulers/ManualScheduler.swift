/// Only queues work; it runs when told to, on the thread that tells.
///
/// For tests of what hops to a scheduler without taking time; ``TestScheduler`` has a clock. Isolation: any thread.
public final class ManualScheduler: Scheduler {
    private let waiting = Guarded(Fifo<ScheduledWork>())

    /// Makes a scheduler with nothing queued.
    public init() {}

    /// Queues work.
    ///
    /// - Parameter work: Runs once, when its turn has come.
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

    /// Runs everything that is queued, and whatever that queues, until nothing is left.
    public func drain() {
        while self.step() {}
    }
}

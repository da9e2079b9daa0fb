internal import Dispatch

/// Runs work one piece at a time, first in first out, on its own queue or on the main thread.
///
/// Work never runs inside the call that schedules it, also on the main thread. Two serial schedulers run in parallel.
/// Its clock is the machine's monotonic one. Semantics: docs/semantics.md, scheduler-1, scheduler-4. ReactiveObjC:
/// RACQueueScheduler.
public final class SerialScheduler: TimedScheduler {
    /// The main thread's scheduler; the program has to run the main queue, as an `async` main or a run loop does.
    public static let main = SerialScheduler(queue: .main)

    /// A scheduler beside the main thread that all parts of a program share, such as for timers; its work is short.
    public static let background = SerialScheduler(label: "rac.background")

    private static let currentKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue

    /// Makes a scheduler with its own queue; queues are cheap.
    ///
    /// - Parameter label: A name that debuggers show.
    public convenience init(label: String) {
        self.init(queue: DispatchQueue(label: label))
    }

    private init(queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: Self.currentKey, value: ObjectIdentifier(self))
    }

    /// Whether the caller runs on this scheduler; for the main one, on the main thread.
    package var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.currentKey) == ObjectIdentifier(self)
    }

    /// The time on the machine's monotonic clock.
    public var now: Duration {
        .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Runs work behind all earlier work.
    ///
    /// - Parameter work: Runs once.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable {
        let scheduled = ScheduledWork(work)
        self.queue.async { scheduled.run() }
        return scheduled
    }

    /// Runs work later.
    ///
    /// - Parameters:
    ///   - delay: The time until the run; a negative delay counts as none.
    ///   - work: Runs once.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        let scheduled = ScheduledWork(work)
        self.queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { scheduled.run() }
        return scheduled
    }

    /// Runs work repeatedly; a run that the busy queue missed is left out.
    ///
    /// - Parameters:
    ///   - delay: The time until the first run; a negative delay counts as none.
    ///   - interval: The time between runs; more than zero.
    ///   - work: Runs until the handle is disposed.
    /// - Returns: A handle that stops it, also from inside the work.
    @discardableResult
    public func schedule(
        after delay: Duration,
        repeatingEvery interval: Duration,
        _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
        precondition(interval > .zero, "Repeating work needs an interval greater than zero.")
        let timer = RepeatingTimer(on: self.queue, work)
        timer.start(after: delay.dispatchInterval, repeatingEvery: interval.dispatchInterval)
        return timer
    }
}

extension Scheduler where Self == SerialScheduler {
    /// The main thread's scheduler.
    public static var main: SerialScheduler { SerialScheduler.main }

    /// The shared scheduler beside the main thread.
    public static var background: SerialScheduler { SerialScheduler.background }
}

extension Duration {
    /// This duration to the nanosecond, none if negative, at most 292 years.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = self.components
        guard seconds >= 0, attoseconds >= 0 else { return .nanoseconds(0) }
        let (nanoseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return .nanoseconds(.max) }
        let (sum, exceeds) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
        return .nanoseconds(exceeds ? .max : Int(sum))
    }
}

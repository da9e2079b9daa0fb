/// The virtual time of a ``TestScheduler`` as a `Clock`, for code that sleeps.
///
/// A task that sleeps until a moment goes on when the scheduler's clock is advanced to it. It is a piece of the
/// scheduler's work, and runs in order with the other ones; the task itself goes on wherever it runs. Code under test
/// takes `some Clock<Duration>`, and the test ``TestScheduler/waitUntilScheduled(_:)`` before it advances the clock.
/// Isolation: any thread. Semantics: docs/semantics.md, scheduler-10.
public struct TestClock: Clock {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// The time since the scheduler was made.
        public var offset: Duration

        /// Makes a moment.
        ///
        /// - Parameter offset: The time since the scheduler was made.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// A later moment.
        ///
        /// - Parameter duration: The time between this moment and the result.
        /// - Returns: The other moment.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: self.offset + duration)
        }

        /// The time until another moment.
        ///
        /// - Parameter other: The other moment.
        /// - Returns: A negative duration if the other moment is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - self.offset
        }

        /// Whether a moment is before another one.
        ///
        /// - Parameters:
        ///   - left: A moment.
        ///   - right: Another one.
        /// - Returns: True if `left` is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private let scheduler: TestScheduler

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// The present moment; it stands still until the scheduler's clock is advanced.
    public var now: Instant { Instant(offset: self.scheduler.now) }

    /// The smallest duration, an attosecond: virtual time is exact.
    public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

    /// Waits until the scheduler's clock is advanced to a moment.
    ///
    /// A moment that has come needs no wait. The sleep counts in ``TestScheduler/scheduledCount`` while it lasts.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Not used: the sleep ends exactly at the moment.
    /// - Throws: `CancellationError` if the task is cancelled, at once.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        guard self.now < deadline else { return }
        let due = Signal<Never, Never> { [scheduler] sink in
            scheduler.schedule(at: deadline.offset) { sink.complete() }
        }
        await due.waitUntilCompleted()
        try Task.checkCancellation()
    }
}

extension TestScheduler {
    /// The virtual time as a `Clock`, which keeps the scheduler.
    public var clock: TestClock { TestClock(self) }

    /// Waits until pieces of work are scheduled, sleeps on ``clock`` among them.
    ///
    /// A test calls it before it advances the clock for tasks, because it cannot know when they go to sleep. Cancelling
    /// the task ends the wait early. Isolation: any task; nothing blocks.
    ///
    /// - Parameter count: The least number of pieces to wait for.
    public func waitUntilScheduled(_ count: Int = 1) async {
        let changes = merge(self.entered.signal, .just(()))
        _ = await changes.filter { self.scheduledCount >= count }.first()
    }
}

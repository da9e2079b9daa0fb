/// A scheduler with a virtual clock, which stands still until it is told to advance.
///
/// Work runs on the thread that advances the clock, by due time, and in order of scheduling where that is the same
/// (scheduler-7). Letting go of the scheduler runs nothing. Isolation: any thread, but only one advances at a time.
/// Semantics: docs/semantics.md, scheduler-6, scheduler-7. ReactiveObjC: RACTestScheduler, which has no clock.
public final class TestScheduler: TimedScheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var agenda = Agenda()
    }

    private let state = Guarded(State())

    /// Makes a scheduler whose clock shows zero.
    public init() {}

    /// The virtual time since the scheduler was made.
    public var now: Duration {
        self.state.withLock { $0.now }
    }

    /// How many pieces of work are still to run; repeating work counts once.
    public var scheduledCount: Int {
        self.state.withLock { $0.agenda.count }
    }

    /// Schedules work for the present moment, after what is due by then already.
    ///
    /// - Parameter work: Runs once.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable {
        self.schedule(after: .zero, work)
    }

    /// Schedules work for a later moment.
    ///
    /// - Parameters:
    ///   - delay: How much later; a negative delay counts as none.
    ///   - work: Runs once.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        let number = self.state.withLock { $0.agenda.enter(work, due: $0.now + max(delay, .zero)) }
        return AnyDisposable { [weak self] in self?.cancel(number) }
    }

    /// Schedules work for a later moment and then again and again.
    ///
    /// - Parameters:
    ///   - delay: When it runs first; a negative delay counts as none.
    ///   - interval: How much later it runs each time after that; more than zero.
    ///   - work: Runs until the handle is disposed.
    /// - Returns: A handle that stops it, also from inside the work.
    @discardableResult
    public func schedule(
        after delay: Duration,
        repeatingEvery interval: Duration,
        _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
        precondition(interval > .zero, "Repeating work needs an interval greater than zero.")
        let handle = SerialDisposable()
        self.enterRepeating(after: max(delay, .zero), every: interval, work, handle: handle)
        return handle
    }

    /// Runs the next piece of work, after moving the clock on to its due time.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func step() -> Bool {
        self.runNext(until: nil)
    }

    /// Moves the clock on, running on the way what becomes due, new work too.
    ///
    /// - Parameter duration: How far, zero or more; zero runs what is due at the present moment.
    public func advance(by duration: Duration) {
        self.advance(to: self.now + duration)
    }

    /// Moves the clock on to a moment, running on the way what becomes due, new work too.
    ///
    /// - Parameter time: The moment, not before ``now``.
    public func advance(to time: Duration) {
        precondition(time >= self.now, "A clock cannot go back.")
        while self.runNext(until: time) {}
        self.state.withLock { $0.now = max($0.now, time) }
    }

    /// Runs everything until nothing is left, which repeating work must be stopped for.
    public func run() {
        while self.step() {}
    }

    private func runNext(until limit: Duration?) -> Bool {
        let next = self.state.withLock { state in
            let next = state.agenda.popFirst(until: limit)
            if let next { state.now = max(state.now, next.due) }
            return next
        }
        next?.work()
        return next != nil
    }

    private func enterRepeating(
        after delay: Duration,
        every interval: Duration,
        _ work: @escaping @Sendable () -> Void,
        handle: SerialDisposable
    ) {
        // The handle is replaced by assigning, which disposes the one of the run in progress: that has begun.
        handle.inner = self.schedule(after: delay) { [weak self] in
            self?.enterRepeating(after: interval, every: interval, work, handle: handle)
            work()
        }
    }

    private func cancel(_ number: Int) {
        let cancelled = self.state.withLock { $0.agenda.cancel(number) }
        // What the work holds on to goes here, outside the lock.
        withExtendedLifetime(cancelled) {}
    }
}

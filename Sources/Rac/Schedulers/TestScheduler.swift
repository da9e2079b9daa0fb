/// A scheduler with a virtual clock, which stands still until a call advances it.
///
/// Work runs on the thread that advances the clock, by due time, and in order of scheduling where that is the same.
/// Releasing the scheduler runs nothing. Isolation: any thread, but only one advances at a time.
/// Semantics: docs/semantics.md, scheduler-6, scheduler-7. ReactiveObjC: RACTestScheduler, which has no clock.
public final class TestScheduler: TimedScheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var agenda = Agenda()
    }

    private let state = Guarded(State())
    /// Announces each piece of work that is scheduled.
    let entered = Subject<Void, Never>()

    /// Makes a scheduler whose clock shows zero.
    public init() {}

    /// The virtual time since the scheduler was made.
    public var now: Duration {
        self.state.withLock { $0.now }
    }

    /// The number of pieces of work that are still to run; repeating work counts once.
    public var scheduledCount: Int {
        self.state.withLock { $0.agenda.count }
    }

    /// Schedules work for the present moment, behind work that is already due.
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
    ///   - delay: The time until the run; a negative delay counts as none.
    ///   - work: Runs once.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        self.enter { state in state.agenda.enter(work, due: state.now + max(delay, .zero)) }
    }

    /// Schedules work for a moment, or for the present one if that has passed.
    func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void) -> AnyDisposable {
        self.enter { state in state.agenda.enter(work, due: max(state.now, time)) }
    }

    /// Schedules work for a later moment, and repeatedly after it.
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

    /// Advances the clock and runs the work that becomes due on the way, new work too.
    ///
    /// - Parameter duration: The time to advance, zero or more; zero runs the work of the present moment.
    public func advance(by duration: Duration) {
        self.advance(to: self.now + duration)
    }

    /// Advances the clock to a moment and runs the work that becomes due on the way, new work too.
    ///
    /// - Parameter time: The moment, not before ``now``.
    public func advance(to time: Duration) {
        precondition(time >= self.now, "A clock cannot go back.")
        while self.runNext(until: time) {}
        self.state.withLock { $0.now = max($0.now, time) }
    }

    /// Runs work until none is left; repeating work must be stopped before.
    public func run() {
        while self.step() {}
    }

    private func enter(_ entry: (inout State) -> Int) -> AnyDisposable {
        let number = self.state.withLock(entry)
        self.entered.send(())
        return AnyDisposable { [weak self] in self?.cancel(number) }
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
        // Assigning replaces the handle and disposes the earlier one, whose run is in progress: it has begun.
        handle.inner = self.schedule(after: delay) { [weak self] in
            self?.enterRepeating(after: interval, every: interval, work, handle: handle)
            work()
        }
    }

    private func cancel(_ number: Int) {
        let cancelled = self.state.withLock { $0.agenda.cancel(number) }
        // The work's references are released here, outside the lock.
        withExtendedLifetime(cancelled) {}
    }
}

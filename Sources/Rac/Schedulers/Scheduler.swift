/// A place that runs work.
///
/// There is no current scheduler: an operator that needs one takes it as a parameter. Semantics: docs/semantics.md,
/// scheduler-1, scheduler-2, scheduler-9. ReactiveObjC: RACScheduler.
public protocol Scheduler: Sendable {
    /// Runs work in its turn.
    ///
    /// - Parameter work: Runs once, with no lock held.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable
}

/// A scheduler with a clock, which can run work later and repeatedly.
public protocol TimedScheduler: Scheduler {
    /// The time on the scheduler's clock since a fixed moment; it never goes back.
    var now: Duration { get }

    /// Runs work later.
    ///
    /// - Parameters:
    ///   - delay: The time until the run; a negative delay counts as none.
    ///   - work: Runs once, with no lock held.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable

    /// Runs work repeatedly.
    ///
    /// - Parameters:
    ///   - delay: The time until the first run; a negative delay counts as none.
    ///   - interval: The time between runs; more than zero.
    ///   - work: Runs until the handle is disposed, never twice at a time.
    /// - Returns: A handle that stops it, also from inside the work.
    @discardableResult
    func schedule(
        after delay: Duration,
        repeatingEvery interval: Duration,
        _ work: @escaping @Sendable () -> Void
    ) -> any Disposable
}

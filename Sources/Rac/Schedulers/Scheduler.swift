/// A place that runs work.
///
/// Semantics: docs/semantics.md, scheduler-1, scheduler-2. ReactiveObjC: RACScheduler. There is no current scheduler:
/// who needs one is given it.
public protocol Scheduler: Sendable {
    /// Runs work as soon as it is its turn.
    ///
    /// - Parameter work: Runs once, with no lock held.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable
}

/// A scheduler with a clock, which can run work later and again and again.
public protocol TimedScheduler: Scheduler {
    /// The time on the scheduler's clock since a moment that does not change; it never goes back.
    var now: Duration { get }

    /// Runs work later.
    ///
    /// - Parameters:
    ///   - delay: How much later; a negative delay counts as none.
    ///   - work: Runs once, with no lock held.
    /// - Returns: A handle that prevents the work; once it has begun, disposing has no effect.
    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable

    /// Runs work again and again.
    ///
    /// - Parameters:
    ///   - delay: When it runs first; a negative delay counts as none.
    ///   - interval: How much later it runs each time after that; more than zero.
    ///   - work: Runs until the handle is disposed, never twice at a time.
    /// - Returns: A handle that stops it, also from inside the work.
    @discardableResult
    func schedule(
        after delay: Duration,
        repeatingEvery interval: Duration,
        _ work: @escaping @Sendable () -> Void
    ) -> any Disposable
}

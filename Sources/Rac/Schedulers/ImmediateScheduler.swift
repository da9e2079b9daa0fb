/// Runs work at once, inside the call that schedules it.
///
/// It has no clock, so it takes no dated work. Semantics: docs/semantics.md, scheduler-3. ReactiveObjC:
/// RACImmediateScheduler, whose dated work blocks the thread.
public struct ImmediateScheduler: Scheduler {
    /// Makes an immediate scheduler; all are alike.
    public init() {}

    /// Runs work before it returns.
    ///
    /// - Parameter work: Runs once.
    /// - Returns: A handle that is disposed already.
    @discardableResult
    public func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable {
        let scheduled = ScheduledWork(work)
        scheduled.run()
        return scheduled
    }
}

extension Scheduler where Self == ImmediateScheduler {
    /// Runs work at once, inside the call that schedules it.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

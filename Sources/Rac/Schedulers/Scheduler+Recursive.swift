internal import Synchronization

extension Scheduler {
    /// Runs work that may ask to be run again, however often, without using up the stack.
    ///
    /// A request made inside the work returns before the next run begins; one made later schedules anew. Semantics:
    /// docs/semantics.md, scheduler-5.
    ///
    /// - Parameter work: Runs once, and once more each time it calls what it is given.
    /// - Returns: A handle that stops it, also from inside the work.
    @discardableResult
    public func scheduleRecursively(
        _ work: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, work: work)
        recursion.request()
        return recursion.handle
    }
}

/// Work that asks for itself again.
private final class Recursion: Sendable {
    /// Disposed when the work is to stop.
    let handle = Subscription()
    private let scheduler: any Scheduler
    private let work: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Runs that are due but have not begun; who raises it from 0 runs them all.
    private let due = Atomic(0)

    init(on scheduler: any Scheduler, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.scheduler = scheduler
        self.work = work
    }

    func request() {
        guard self.handle.isOpen else { return }
        self.scheduler.schedule { self.run() }
    }

    /// Runs what is due; from inside the work, as the immediate scheduler does, it leaves that to the loop outside.
    private func run() {
        guard self.due.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if self.handle.isOpen { self.work { self.request() } }
        } while self.due.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }
}

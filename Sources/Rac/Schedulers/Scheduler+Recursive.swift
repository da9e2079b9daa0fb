internal import Synchronization

extension Scheduler {
    /// Runs work that may ask for another run, however often, on the same stack.
    ///
    /// A request made inside the work returns before the next run begins; one made later schedules anew. Semantics:
    /// docs/semantics.md, scheduler-5.
    ///
    /// - Parameter work: Runs once, and once more each time it calls its argument.
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
    /// The number of runs that are due and have not begun; the thread that raises it from 0 runs them all.
    private let due = Atomic(0)

    init(on scheduler: any Scheduler, work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.scheduler = scheduler
        self.work = work
    }

    func request() {
        guard self.handle.isOpen else { return }
        self.scheduler.schedule { self.run() }
    }

    /// Runs the due work.
    ///
    /// Inside the work, as on the immediate scheduler, it leaves that to the loop outside.
    private func run() {
        guard self.due.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if self.handle.isOpen { self.work { self.request() } }
        } while self.due.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }
}

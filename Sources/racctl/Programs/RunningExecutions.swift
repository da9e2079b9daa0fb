import RacConnection
import RacProtocol
import Synchronization

/// The executions that are at work, each in a task that this object owns.
final class RunningExecutions: Sendable {
    private let maximumCount: Int
    private let tasks = Mutex<[ExecutionID: Task<Void, Never>]>([:])

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// Begins one; says whether there was room.
    func start(_ execution: ExecutionID, _ work: @escaping @Sendable () async -> Void) -> Bool {
        self.tasks.withLock { tasks in
            guard tasks.count < self.maximumCount else { return false }
            tasks[execution] = Task {
                await work()
                self.tasks.withLock { $0[execution] = nil }
            }
            return true
        }
    }

    func cancel(_ execution: ExecutionID) {
        self.tasks.withLock { $0[execution] }?.cancel()
    }

    /// Cancels all of them and waits for their ends.
    func cancelAll() async {
        let tasks = self.tasks.withLock { Array($0.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

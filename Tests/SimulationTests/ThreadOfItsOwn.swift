import Dispatch
import Testing

/// Runs each test of a suite on its own thread.
///
/// A history computes for seconds. Swift's tasks have a thread for each core, where it would stall the tests that wait for
/// another process.
struct ThreadOfItsOwn: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
    }
}

extension Trait where Self == ThreadOfItsOwn {
    static var threadOfItsOwn: Self { ThreadOfItsOwn() }
}

/// Runs tasks one after the other on a queue, which has a thread while it works.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

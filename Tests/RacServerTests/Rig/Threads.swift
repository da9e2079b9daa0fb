import Testing

/// The number of event loops of a test's daemons.
enum Threads {
    @TaskLocal static var count = 1
}

/// Runs each test of a suite twice: with a daemon that has one event loop, and with one that has three.
struct OneThreadAndThree: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for count in [1, 3] { try await Threads.$count.withValue(count) { try await function() } }
    }
}

extension Trait where Self == OneThreadAndThree {
    static var oneThreadAndThree: Self { OneThreadAndThree() }
}

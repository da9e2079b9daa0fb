import NIOCore
import NIOPosix
import Testing

@testable import RacServer

@Suite(.timeLimit(.minutes(10))) struct BusyPollingTests {
    @Test("A loop on which things come soon one after the other waits awake, goes on with all else, and sleeps again")
    func awake() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let polling = try await BusyPolling.start(on: group.next())
            // A thread that has to wait for a core comes late, so it may take more than one attempt.
            var isAwake = false
            while !isAwake {
                isAwake = try await polling.ask { polling in
                    for _ in 0..<2 {
                        polling.tickBegan()
                        polling.tickEnded(commit: nil, hasTraffic: true)
                    }
                    return polling.isAwake
                }
            }
            // The question is a task for the loop; the loop's look at the sockets makes it sleep.
            while try await polling.ask(\.isAwake) { await Task.yield() }
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }
}

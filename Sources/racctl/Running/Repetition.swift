import RacConnection
import RacProtocol

/// Makes an attempt, and makes it again while it fails for a reason that may pass.
///
/// - Parameters:
///   - time: The time in which attempts begin; zero for one attempt.
///   - mayPass: Whether the reason of a failure may pass.
///   - attempt: The attempt.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt.
func repeated<Made>(
    for time: Duration,
    while mayPass: (ClientError) -> Bool,
    _ attempt: () async throws(ClientError) -> Made
) async throws -> Made {
    let end = ContinuousClock.now + time
    var pauses = GrowingPause<Duration>(from: .milliseconds(50), upTo: .seconds(1))
    while true {
        do {
            return try await attempt()
        } catch {
            let left = end - ContinuousClock.now
            guard mayPass(error), left > .zero else { throw error }
            try await Task.sleep(for: min(pauses.grow(), left))
        }
    }
}

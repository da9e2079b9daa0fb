import RacConnection
import RacProtocol

/// The channels that a benchmark makes, which nobody else has and which go with it.
struct BenchChannels {
    private let folder = "racctl/bench/" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let connection: DaemonConnection

    init(over connection: DaemonConnection) {
        self.connection = connection
    }

    /// Does something with a new channel, and deletes it afterwards, whatever happened.
    func with<Made: Sendable>(
        _ name: String,
        mode: ChannelMode,
        _ body: (ChannelName) async throws -> Made
    ) async throws -> Made {
        let channel = try ChannelName("\(self.folder)/\(name)")
        var create = Create(channel: channel)
        create.mode = mode
        _ = try await self.connection.change(.create(create))
        let result: Result<Made, any Error>
        do {
            result = .success(try await body(channel))
        } catch {
            result = .failure(error)
        }
        let connection = self.connection
        // A cancelled task could not wait for the answer.
        _ = await Task { try? await connection.change(.delete(ChannelOrder(channel: channel))) }.value
        return try result.get()
    }
}

import RacConnection
import RacProtocol

extension DaemonConnection {
    /// Reads all channels that match, in the order of their names, each at a moment of its own.
    nonisolated func forEachChannel(
        of pattern: ChannelPattern,
        _ body: (ChannelName, Got) async throws -> Void
    ) async throws {
        try await self.forEachPage(of: pattern) { page in
            var names = page.map(\.channel)[...]
            while !names.isEmpty {
                let part = Array(names.prefix(Self.readsAtOnce))
                for (name, got) in zip(part, try await self.gets(part)) {
                    if let got { try await body(name, got) }
                }
                names = names.dropFirst(part.count)
            }
        }
    }

    /// Some channels as they are, each at a moment of its own; nil where there is no such channel.
    nonisolated func snapshots(of channels: [ChannelName]) async throws -> [ChannelSnapshot?] {
        zip(channels, try await self.gets(channels)).map { channel, got in got.map { ChannelSnapshot(channel, $0) } }
    }

    /// The daemon's answers about some channels; nil where there is no such channel.
    nonisolated func gets(_ channels: [ChannelName]) async throws -> [Got?] {
        try await channels.map(atOnce: Self.readsAtOnce) { channel in
            do {
                return try await self.get(channel)
            } catch let error as ClientError where error.code == .noSuchChannel {
                return nil
            }
        }
    }

    /// As many answers as the memory of a small machine holds if each has the longest value.
    private static let readsAtOnce = 32
}

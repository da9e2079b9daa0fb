import RacConnection
import RacProtocol

extension DaemonConnection {
    /// Lists all channels that match, as many at a time as the daemon tells.
    nonisolated func forEachPage(of pattern: ChannelPattern, _ body: ([Listed.Entry]) async throws -> Void) async throws
    {
        var list = List()
        list.pattern = pattern
        while true {
            let page = try await self.list(list)
            try await body(page.channels)
            guard page.more, let last = page.channels.last else { return }
            list.after = last.channel
        }
    }

    /// Some channels as they are, each at a moment of its own; nil where there is no such channel.
    nonisolated func snapshots(of channels: [ChannelName]) async throws -> [ChannelSnapshot?] {
        try await channels.map(atOnce: Self.readsAtOnce) { channel in
            do {
                return ChannelSnapshot(channel, try await self.get(channel))
            } catch let error as ClientError where error.code == .noSuchChannel {
                return nil
            }
        }
    }

    /// As many answers as the memory of a small machine holds if each has the longest value.
    private static let readsAtOnce = 32
}

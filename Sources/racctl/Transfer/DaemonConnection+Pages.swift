import RacConnection
import RacProtocol

extension DaemonConnection {
    /// Lists all channels that match, as many at a time as the daemon lists.
    nonisolated func forEachPage(of pattern: ChannelPattern, _ body: ([Listed.Entry]) async throws -> Void) async throws
    {
        var list = List()
        list.pattern = pattern
        var order = PageOrder<ChannelName>()
        while true {
            let page = try await self.list(list)
            try order.take(page.channels.map(\.channel))
            try await body(page.channels)
            guard page.more, !page.channels.isEmpty else { return }
            list.after = order.last
        }
    }

    /// Lists all commands that match, as many at a time as the daemon lists.
    nonisolated func forEachPage(
        ofCommands pattern: ChannelPattern,
        _ body: ([ListedCommands.Entry]) async throws -> Void
    ) async throws {
        var list = List()
        list.pattern = pattern
        var order = PageOrder<ChannelName>()
        while true {
            let page = try await self.page(list)
            try order.take(page.commands.map(\.command.name))
            try await body(page.commands)
            guard page.more, !page.commands.isEmpty else { return }
            list.after = order.last
        }
    }

    private func page(_ list: List) async throws -> ListedCommands {
        do throws(ClientError) {
            return try await self.commands(list)
        } catch {
            throw error.explained("list commands")
        }
    }
}

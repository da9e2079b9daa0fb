import RacConnection
import RacProtocol

extension DaemonConnection {
    /// Lists all channels that match, as many at a time as the daemon lists.
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

    /// Lists all commands that match, as many at a time as the daemon lists.
    nonisolated func forEachPage(
        ofCommands pattern: ChannelPattern,
        _ body: ([ListedCommands.Entry]) async throws -> Void
    ) async throws {
        var list = List()
        list.pattern = pattern
        while true {
            let page = try await self.page(list)
            try await body(page.commands)
            guard page.more, let last = page.commands.last else { return }
            list.after = last.command.name
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

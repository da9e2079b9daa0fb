import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl commands`: the commands that racd knows.
struct CommandsCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "commands",
        abstract: "Lists commands in the order of their names.",
        discussion: """
            Each line has the command's state (enabled, disabled, or unhosted if no \
            client hosts it), how many executions run, how many clients observe it, \
            several if it may run more than once at a time, the number of its host's \
            connection, and its name. racd lists each command that was ever hosted \
            since its start, until it is forgotten: see racctl delete --command.

            EXAMPLES
              racctl commands
              racctl commands 'room/*' -o json | jq -r 'select(.enabled) | .command'
            """
    )

    @Argument(
        help: "The pattern; without it, all commands.",
        completion: NameCompletion.commands,
        transform: { try ChannelPattern($0) }
    )
    var pattern: ChannelPattern?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let table = Table(context, ["state    ", "runs", "seen", "at a time", "  host", "command"])
        try await table.begin()
        try await context.connection.forEachPage(ofCommands: self.pattern ?? .all) { page in
            for entry in page { try await table.write(Self.columns(of: entry), or: Self.json(of: entry)) }
        }
    }

    private static func columns(of entry: ListedCommands.Entry) -> [String] {
        let state = entry.state.isEnabled ? "enabled" : "disabled"
        return [
            entry.host == nil ? "unhosted" : state, "\(entry.executions)", "\(entry.observers)",
            entry.host == nil ? "-" : entry.isConcurrent ? "several" : "one",
            entry.host.map { "\($0.connection)" } ?? "-", entry.command.text,
        ]
    }

    private static func json(of entry: ListedCommands.Entry) -> JSONLine {
        var line = JSONLine()
        line.add("command", .string(entry.command.text))
        line.add("hosted", entry.host != nil)
        line.add("enabled", entry.state.isEnabled)
        line.add("executing", entry.state.isExecuting)
        line.add("concurrent", entry.isConcurrent)
        line.add("observers", .integer(Int(clamping: entry.observers)))
        line.add("executions", .integer(Int(clamping: entry.executions)))
        if let host = entry.host { line.add(host) }
        return line
    }
}

extension DaemonConnection {
    /// Lists all commands that match, as many at a time as the daemon tells.
    nonisolated fileprivate func forEachPage(
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

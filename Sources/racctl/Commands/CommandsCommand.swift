import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl commands`: the commands that racd knows.
struct CommandsCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "commands",
        abstract: "Lists commands in the order of their names.",
        usage: "racctl commands [<options>] [<pattern>]",
        discussion: """
            Each line has the command's name, its state (enabled, disabled, or unhosted if no client hosts it), how \
            many executions run, whether one or several may run at once, how many clients observe it, the number of \
            its host's connection, and the name of its host or of that program. racd lists each command that was \
            ever hosted since its start, until it is forgotten: see racctl delete --command.

            EXAMPLES
              racctl commands
              racctl commands 'room/*' -o json | jq -r 'select(.enabled) | .command'
            """
    )

    static var streams: Bool { true }
    static var emptyFormats: [OutputFormat] { [.value] }

    @Argument(
        help: "The pattern; without it, all commands.",
        completion: NameCompletion.commands,
        transform: { try ChannelPattern($0) }
    )
    var pattern: ChannelPattern?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var table = Table(Self.columns)
        try await context.connection.forEachPage(ofCommands: self.pattern ?? .all) { page in
            try await context.show(page, in: &table, cells: Self.cells, record: Self.record)
        }
    }

    private static let columns = [
        Table.Column(heading: "NAME", limit: 40), Table.Column(heading: "STATE"),
        Table.Column(heading: "RUNS", isNumber: true), Table.Column(heading: "AT ONCE"),
        Table.Column(heading: "OBSERVERS", isNumber: true), Table.Column(heading: "CONNECTION", isNumber: true),
        Table.Column(heading: "HOST"),
    ]

    private static func cells(of entry: ListedCommands.Entry) -> [String] {
        let state = entry.state.isEnabled ? "enabled" : "disabled"
        return [
            entry.command.text, entry.host == nil ? "unhosted" : state, "\(entry.executions)",
            entry.host == nil ? "-" : entry.isConcurrent ? "several" : "one", "\(entry.observers)",
            entry.host.map { "\($0.connection)" } ?? "-", entry.host?.title ?? "-",
        ]
    }

    private static func record(of entry: ListedCommands.Entry) -> Record {
        var line = Record()
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

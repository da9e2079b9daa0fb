import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl import`: channels as `export` wrote them.
struct ImportCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Creates and updates channels from the lines of an export.",
        usage: "racctl import [<options>] [<file>]",
        discussion: """
            Creates the channels that do not exist, gives the others the value, the wish and the end of their line, and \
            reopens those that have ended where their line is open. Channels without a line are left alone, and those \
            that have all of it already; a value is replaced but never taken away. Clients see the changes like others.

            All lines are read and compared with racd before the first change. A line that is not valid, or a channel \
            that is shared here and paired there, ends the import with nothing changed, and the message names the \
            line. If racd refuses something later on, the message says how much was done; importing again is safe.

            Prints how many channels were created, changed and left alone, when all of it is on racd's disk.

            EXAMPLES
              racctl import channels.jsonl
              racctl import --dry-run < channels.jsonl
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @Argument(
        help: ArgumentHelp("The file; without it, or for -, standard input.", valueName: "file"),
        completion: .file()
    )
    var file = "-"

    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let plan = try await ImportPlan(reading: FileInput.lines(of: self.file), over: context.connection)
        if !self.dryRun { try await plan.carryOut(over: context.connection) }
        var record = Record()
        record.add("created", .integer(plan.created))
        record.add("changed", .integer(plan.changed))
        record.add("unchanged", .integer(plan.unchanged))
        let done = self.dryRun ? "would be " : ""
        try await context.show(
            record,
            text: "\(done)created \(plan.created), changed \(plan.changed), left alone \(plan.unchanged)"
        )
    }
}

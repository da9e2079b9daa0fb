import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl import`: channels as `export` wrote them.
struct ImportCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes channels be as the lines of an export say.",
        discussion: """
            Creates the channels that are not there, gives the others the value, the wish and the end that their line \
            says, and reopens those that have ended if need be. Channels that are so already are left alone, and so are \
            all that have no line; a value is replaced but never taken away. Binders see the changes like any others.

            All lines are read and compared with racd before the first change. A line that is not right, or a channel \
            that is shared here and paired there, ends the import with nothing changed, and the message says which \
            line. If racd refuses something later on, the message says how much was done; importing again is safe.

            Prints how many channels were created, changed and left alone, when all of it is on racd's disk.

            EXAMPLES
              racctl import channels.jsonl
              racctl import --dry-run < channels.jsonl
            """
    )

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
        switch context.format {
        case .text:
            let done = self.dryRun ? "would be " : ""
            try await context.output.write(
                "\(done)created \(plan.created), changed \(plan.changed), left alone \(plan.unchanged)"
            )
        case .json:
            var line = JSONLine()
            line.add("created", .integer(plan.created))
            line.add("changed", .integer(plan.changed))
            line.add("unchanged", .integer(plan.unchanged))
            try await context.output.write(line.text)
        }
    }
}

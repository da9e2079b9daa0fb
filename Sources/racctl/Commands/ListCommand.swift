import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl list`: which channels there are.
struct ListCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists channels in the order of their names.",
        discussion: """
            Each line has the revision of the channel's value, its state, its mode, how many terminals are bound to \
            it, and its name. In a pattern * stands for one segment of a name and ** for any number of them.
            """
    )

    @OptionGroup var pattern: PatternArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.connection.forEachPage(of: self.pattern.orAll) { page in
            for entry in page { try await context.output.write(Self.line(of: entry, as: context.format)) }
        }
    }

    private static func line(of entry: Listed.Entry, as format: OutputFormat) -> String {
        switch format {
        case .text:
            let revision = "\(entry.revision)".aligned(right: 10)
            let state = entry.state.rawValue.aligned(left: 9)
            let mode = entry.mode.rawValue.aligned(left: 6)
            return "\(revision)  \(state)  \(mode)  \("\(entry.bound)".aligned(right: 5))  \(entry.channel)"
        case .json:
            var line = JSONLine()
            line.add("channel", .string(entry.channel.text))
            line.add("rev", entry.revision)
            line.add("state", .string(entry.state.rawValue))
            line.add("mode", .string(entry.mode.rawValue))
            line.add("bound", .integer(Int(clamping: entry.bound)))
            return line.text
        }
    }
}

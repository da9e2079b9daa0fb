import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl export`: channels as lines that `import` reads.
struct ExportCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes channels as lines of JSON, which import reads.",
        usage: "racctl export [<options>] [<pattern>]",
        discussion: """
            Each line is an object with the channel's name, mode, state, value, wish and error, in the order of names:

              {"channel":"lamp","mode":"shared","state":"open","value":{"on":true}}

            Values stand as they were written, but for line breaks and tabs in them, which become spaces. Revisions and times \
            are left out, since a daemon gives its own, so that two exports of the same values are the same text. Each \
            channel is written as it is at its turn; for a copy of one moment, and for backups, use racd backup.

            EXAMPLES
              racctl export > channels.jsonl
              racctl export 'room/**' | racctl import --server rac://other:7220
              diff <(racctl export) channels.jsonl
            """
    )

    static var streams: Bool { true }

    @OptionGroup var pattern: PatternArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.connection.forEachChannel(of: self.pattern.orAll) { name, got in
            try await context.output.write(ChannelSnapshot(name, got).line)
        }
    }
}

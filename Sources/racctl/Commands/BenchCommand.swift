import ArgumentParser
import RacConnection

/// `racctl bench`: how fast this racd is from here.
struct BenchCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures how fast racd is from here.",
        usage: "racctl bench [<options>]",
        discussion: """
            Measures the round trip, sets that do and do not wait for the disk, and how many values reach 10 binders \
            that hear every one of them. It puts load on racd for about 4 seconds, in channels of its own under \
            racctl/bench, which it deletes afterwards.

            EXAMPLES
              racctl bench
              racctl bench --seconds 5 -o json
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @Option(help: "How long each of the four measurements goes on.")
    var seconds = 1.0

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (0.01...60).contains(self.seconds) else { throw ValidationError("--seconds takes 0.01 to 60") }
    }

    func run(in context: CommandContext) async throws {
        let figures = try await Bench(context: context, time: .seconds(self.seconds)).run()
        try await context.show(figures.record, text: figures.lines.joined(separator: "\n"))
    }
}

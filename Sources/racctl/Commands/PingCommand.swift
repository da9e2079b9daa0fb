import ArgumentParser
import RacConnection

/// `racctl ping`: whether racd answers, and how fast.
struct PingCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping",
        abstract: "Measures the round trip to racd.",
        usage: "racctl ping [<options>]",
        discussion: "Prints how long racd took to answer, in milliseconds."
    )

    private static let pause = Duration.seconds(1)

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @Option(
        name: .customShort("n", allowingJoined: true),
        parsing: .unconditional,
        help: ArgumentHelp("How many round trips to make, one each second.", valueName: "count")
    )
    var count = 1

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard self.count >= 1 else { throw ValidationError("-n must be above 0") }
    }

    func run(in context: CommandContext) async throws {
        for number in 1...self.count {
            let milliseconds = try await Self.roundTrip(context.connection)
            var record = Record()
            record.add("ms", milliseconds)
            try await context.show(record, text: "\(milliseconds) ms")
            if number < self.count { try await Task.sleep(for: Self.pause) }
        }
    }

    private static func roundTrip(_ connection: DaemonConnection) async throws -> Double {
        let start = ContinuousClock.now
        try await connection.ping()
        return (ContinuousClock.now - start).inMilliseconds
    }
}

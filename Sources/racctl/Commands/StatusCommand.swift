import ArgumentParser
import RacConnection

/// `racctl status`: whether racd is there and well.
struct StatusCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows whether racd is there and well.",
        usage: "racctl status [<options>]",
        discussion: """
            Prints racd's version, how long it has been running and its figures. Exits with 6 if racd cannot be reached, \
            with 7 if it does not answer, and with 1, after the figures, if its disk takes no changes.

            EXAMPLES
              racctl status
              racctl status -o json | jq .channels
              racctl status --timeout 2 > /dev/null || echo "racd is ill"
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let status = try await DaemonStatus(of: context.connection)
        try await context.show(status.record, text: status.lines.joined(separator: "\n"))
        if let fault = status.storageFault {
            throw CommandFailure(.other, code: "storage", "racd cannot write to its disk: \(fault)")
        }
    }
}

import ArgumentParser
import RacConnection

/// `racctl status`: whether racd is there and well.
struct StatusCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says whether racd is there and well.",
        discussion: """
            Prints racd's version, how long it has been running and its figures. Ends with 6 if racd cannot be reached, \
            and with 1, after the figures, if its disk takes no changes.

            EXAMPLES
              racctl status
              racctl status -o json | jq .channels
              racctl status --timeout 2 > /dev/null || echo "racd is ill"
            """
    )

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let status = try await DaemonStatus(of: context.connection)
        switch context.format {
        case .text: for line in status.lines { try await context.output.write(line) }
        case .json: try await context.output.write(status.json)
        }
        if let fault = status.storageFault {
            throw CommandFailure(.other, code: "storage", "racd cannot write to its disk: \(fault)")
        }
    }
}

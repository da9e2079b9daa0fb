import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl observe`: whether a command may be executed, and whether it is.
struct ObserveCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "observe",
        abstract: "Prints how a command is, each change of that, and its errors.",
        discussion: """
            Each line is one of

              enabled                 it may be executed now
              enabled, executing      the same, and it is: several may run at once
              executing               it runs, and may not be executed until it has ended
              not enabled             its host does not allow it, or nobody hosts it
              failed CODE MESSAGE     an execution failed; parted by tabs

            The first tells how it is now. A command that nobody hosts yet can be observed. If it changes faster than \
            it can be printed, only the newest is. With -o json each is an object on a line.

            EXAMPLES
              racctl observe room/blink
              racctl observe backup -o json | jq 'select(.event == "error")'
            """
    )

    static var streams: Bool { true }

    @OptionGroup var command: CommandArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        for try await event in try await context.connection.observe(self.command.name) {
            try await context.output.write(Self.line(of: event, as: context.format))
        }
    }

    private static func line(of event: ObservationEvent, as format: OutputFormat) -> String {
        switch (event, format) {
        case (.state(let state), .text): Self.text(of: state)
        case (.failed(_, let error), .text): "failed\t\(error.code.onOneLine)\t\(error.message.onOneLine)"
        case (_, .json): Self.json(of: event)
        }
    }

    private static func text(of state: CommandState) -> String {
        switch (state.isEnabled, state.isExecuting) {
        case (true, false): "enabled"
        case (true, true): "enabled, executing"
        case (false, true): "executing"
        case (false, false): "not enabled"
        }
    }

    private static func json(of event: ObservationEvent) -> String {
        var line = JSONLine()
        switch event {
        case .state(let state):
            line.add("event", .string("state"))
            line.add("enabled", state.isEnabled)
            line.add("executing", state.isExecuting)
        case .failed(let execution, let error):
            line.add("event", .string("error"))
            line.add("execution", .integer(Int(clamping: execution.number)))
            line.add("error", error)
        }
        return line.text
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl observe`: whether a command may be executed, and whether it is.
struct ObserveCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "observe",
        abstract: "Shows live whether a command is available or running.",
        usage: "racctl observe [<options>] <name>",
        discussion: """
            Each line is one of

              enabled                 it can be executed now
              enabled, executing      it runs, and can be executed once more
              executing               it runs, and can be executed when that has ended
              not enabled             its host does not allow it, or nobody hosts it
              failed CODE MESSAGE     an execution failed; parted by tabs

            The first line is the present state. A command that nobody hosts yet can be observed. If states come \
            faster than they can be printed, only the newest is. With -o json each is an object on a line. When the connection is \
            lost, observe connects again.

            EXAMPLES
              racctl observe room/blink
              racctl observe backup -o json | jq 'select(.event == "error")'
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var command: CommandArgument
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var last: CommandState?
        try await context.withConnections { connection in
            for try await event in try await connection.observe(self.command.name) {
                if case .state(let state) = event {
                    if state == last { continue }
                    last = state
                }
                try await context.show(self.record(of: event), text: Self.text(of: event))
            }
        }
    }

    private static func text(of event: ObservationEvent) -> String {
        switch event {
        case .state(let state): Self.text(of: state)
        case .failed(_, let error): "failed\t\(error.code.onOneLine)\t\(error.message.onOneLine)"
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

    private func record(of event: ObservationEvent) -> Record {
        var line = Record()
        line.add("command", .string(self.command.name.text))
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
        return line
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl exec`: work that another program does.
struct ExecCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Executes a command that a program hosts, prints its values.",
        usage: "racctl exec [<options>] <name> [<input>]",
        discussion: """
            INPUT that is JSON is taken as it stands, anything else is a string; - reads it from standard input, @FILE \
            from a file. Without it the command gets none. Each value of the execution is printed as one line \
            of JSON, at once. With -o json each is an object, {"event":"next","value":…}, and so is the end.

            Exits with 0 when the execution completes, and with 8 and a message when it fails, also if its host goes \
            away meanwhile (host-lost); with 3 if nobody hosts the command, after the time of --retry; with 4 if it is not enabled, because it \
            runs already or its host does not allow it. Ctrl-C and --timeout cancel the execution. An execution does \
            not outlive the connection of its caller: if that is lost, exec exits with 6.

            EXAMPLES
              racctl exec room/blink '{"times": 3}'
              racctl exec backup --timeout 600 || echo "no backup: $?"
              racctl exec convert @picture.json -o json
              racctl provide square -- ./square & racctl exec --retry 5 square 12
            """
    )

    static var streams: Bool { true }

    @OptionGroup var command: CommandArgument

    @Argument(help: "What the command gets, or - for standard input, or @FILE.", completion: NameCompletion.value)
    var input: String?

    @OptionGroup var values: ValueOptions
    @OptionGroup var results: ResultOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var input: JSONText?
        if let argument = self.input {
            input = try await ValueSource(argument: argument, name: "the input").value(self.values)
        }
        let call = try await repeated(for: context.patience, while: \.isWithoutHost) {
            [input] () async throws(ClientError) in
            try await context.connection.execute(self.command.name, input)
        }
        do {
            for try await event in call { try await self.show(event, in: context) }
        } catch {
            // A cancelled task waits for nothing more, so another one hears how the execution ended.
            if Task.isCancelled { await Task { await Self.cancel(call) }.value }
            throw error
        }
    }

    private static func cancel(_ call: CommandCall) async {
        await call.cancel()
        do {
            for try await _ in call {}
        } catch {
            // The connection is lost, and with that the execution is cancelled.
        }
    }

    private func show(_ event: ExecutionEvent, in context: CommandContext) async throws {
        var text: String?
        if case .next(let value) = event { text = context.results.wholeText(of: value) }
        try await context.show(self.record(event), text: text)
        guard case .ended(.failed(let error)) = event else { return }
        throw CommandFailure(error, of: self.command.name)
    }

    private func record(_ event: ExecutionEvent) -> Record {
        var line = Record()
        line.add("command", .string(self.command.name.text))
        switch event {
        case .next(let value):
            line.add("event", .string("next"))
            line.add("value", value)
        case .ended(.completed): line.add("event", .string("completed"))
        case .ended(.failed(let error)):
            line.add("event", .string("error"))
            line.add("error", error)
        }
        return line
    }
}

extension ClientError {
    /// Whether the command has no host, which may be on its way.
    fileprivate var isWithoutHost: Bool { [.noSuchCommand, .notHosted].contains(self.code) }
}

extension CommandFailure {
    /// An execution that ended with an error.
    fileprivate init(_ error: WireError, of command: CommandName) {
        let isSlow = error.code == ClientError.Code.slowConsumer.rawValue
        let code = error.code == "failed" ? "" : " with the error \(error.code)"
        let reason = error.message.isEmpty ? "" : ": \(error.message)"
        self.init(isSlow ? .limit : .failed, code: error.code, "\(command) failed\(code)\(reason)")
        self.data = error.data
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl watch`: the states of many channels, and their changes.
struct WatchCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the channels that match a pattern, and each of their changes.",
        discussion: """
            In a pattern * stands for one segment of a name and ** for any number of them: room/*, **/volume.

            Each line has a name, a tab, and the value as JSON. If there is no value, or the channel ended or was \
            deleted, the state stands there instead, without quotes: open, completed, deleted, or failed with the \
            error's code and message after further tabs. Behind the value of a paired \
            channel a further tab and its wish follow, if it has one. If changes come faster than they can be printed, only the \
            newest of each channel is. With -o json, {"event":"synced"} follows when all that was there is told.

            With --exec a program is run for each of them instead, one after the other. It finds the value on its \
            standard input (with -o json, the line that watch would print), and in its environment RAC_CHANNEL, \
            RAC_REV, RAC_STATE (open, completed, failed or deleted) and, of a failed channel, RAC_ERROR_CODE and \
            RAC_ERROR_MESSAGE. What changes while it runs is told to the next one, the newest of each channel. If a \
            program does not end with 0, a line says so, and the watch goes on.

            EXAMPLES
              racctl watch 'room/*'
              racctl watch '**' -o json | jq 'select(.state == "failed")'
              racctl watch 'job/*' --no-replay --exec sh -c 'notify-send "$RAC_CHANNEL" "$(cat)"'
            """
    )

    static var streams: Bool { true }
    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    @Argument(help: "The pattern.", completion: NameCompletion.channels, transform: { try ChannelPattern($0) })
    var pattern: ChannelPattern

    @Flag(help: "Leave out what is there at the beginning: changes only.")
    var noReplay = false

    @Option(
        parsing: .remaining,
        help: ArgumentHelp("What to run for each change; all that follows belongs to it.", valueName: "program")
    )
    var exec: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let call = ProgramCall(self.exec, for: context)
        var isTold = !self.noReplay
        for try await event in try await context.connection.watch(self.pattern) {
            switch event {
            case .changed(let changed):
                guard isTold else { continue }
                if let call { try await Self.run(call, for: changed, as: context.format) }
            case .synced: isTold = true
            }
            if call == nil, let line = Self.line(of: event, as: context.format) { try await context.output.write(line) }
        }
    }

    private static func run(_ call: ProgramCall, for changed: Changed, as format: OutputFormat) async throws {
        let input = format == .json ? Self.json(of: changed) : changed.value?.onOneLine
        var call = call
        call.environment.merge(changed.variables) { $1 }
        let program = try RunningProgram(call, passesOutput: true)
        let end = try await program.supervised {
            if let input { await program.input.write(input) }
            program.input.close()
            return await program.ended()
        }
        try Task.checkCancellation()
        guard !end.isSuccess else { return }
        var failure = CommandFailure(call, end)
        failure.message += " for \(changed.channel)"
        failure.report(as: format)
    }

    private static func line(of event: WatchEvent, as format: OutputFormat) -> String? {
        switch (event, format) {
        case (.changed(let changed), .text): "\(changed.channel)\t\(Self.text(of: changed))"
        case (.changed(let changed), .json): Self.json(of: changed)
        case (.synced, .text): nil
        case (.synced, .json): "{\"event\":\"synced\"}"
        }
    }

    private static func text(of changed: Changed) -> String {
        switch changed.state {
        case .open: (changed.value?.onOneLine ?? "open") + (changed.wish.map { "\t\($0.onOneLine)" } ?? "")
        case .completed: "completed"
        case .failed(let error): "failed\t\(error.code.onOneLine)\t\(error.message.onOneLine)"
        case nil: "deleted"
        }
    }

    private static func json(of changed: Changed) -> String {
        var line = JSONLine()
        line.add("event", .string("changed"))
        line.add(changed)
        return line.text
    }
}

extension Changed {
    /// The environment of a program.
    fileprivate var variables: [String: String] {
        var variables = ["RAC_CHANNEL": self.channel.text, "RAC_REV": "\(self.revision)"]
        variables["RAC_STATE"] = (self.state?.word ?? .deleted).rawValue
        if case .failed(let error)? = self.state {
            variables["RAC_ERROR_CODE"] = error.code.onOneLine
            variables["RAC_ERROR_MESSAGE"] = error.message.onOneLine
        }
        return variables
    }
}

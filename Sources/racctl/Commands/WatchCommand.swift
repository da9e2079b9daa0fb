import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl watch`: the states of many channels, and their changes.
struct WatchCommand: ValueCommand, StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints channels that match a pattern, and their changes.",
        usage: "racctl watch [<options>] <pattern> [--exec <program> ...]",
        discussion: """
            In a pattern * stands for one segment of a name and ** for any number of them: room/*, **/volume.

            Each line has a name, a tab, and the value as JSON. If there is no value, or the channel ended or was \
            deleted, the state stands there instead, without quotes: open, completed, deleted, or failed with the \
            error's code and message after further tabs. Behind the value of a paired channel a further tab and its \
            wish follow, if it has one. If changes come faster than they can be printed, only the \
            newest of each channel is. With -o json, {"event":"synced"} follows when all that was there is printed. \
            When the connection is lost, watch connects again and prints what has changed meanwhile.

            With --exec a program is run for each of them instead, one after the other. It finds the value on its \
            standard input (with -o json, the line that watch would print), and in its environment RAC_CHANNEL, \
            RAC_REV, RAC_STATE (open, completed, failed or deleted) and, of a failed channel, RAC_ERROR_CODE and \
            RAC_ERROR_MESSAGE, at most 4 KiB of it. What changes while it runs is for the next one, the newest of each \
            channel. If a program cannot be started or does not exit with 0, a line says so, and the watch goes on.

            EXAMPLES
              racctl watch 'room/*'
              racctl watch '**' -o json | jq 'select(.state == "failed")'
              racctl watch 'job/*' --no-replay --exec \\
                sh -c 'notify-send "$RAC_CHANNEL" "$(cat)"'
            """
    )

    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    @Argument(help: "The pattern.", completion: NameCompletion.patterns, transform: { try ChannelPattern($0) })
    var pattern: ChannelPattern

    @Flag(help: "Leave out what is there at the beginning: changes only.")
    var noReplay = false

    @Option(
        name: .customShort("n", allowingJoined: true),
        parsing: .unconditional,
        help: ArgumentHelp("Exit after this number of changes.", valueName: "count")
    )
    var count: Int?

    @Option(
        parsing: .remaining,
        help: ArgumentHelp("What to run for each change; all that follows belongs to it.", valueName: "program")
    )
    var exec: [String] = []

    @OptionGroup var results: ResultOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (self.count ?? 1) > 0 else { throw ValidationError("-n must be above 0") }
    }

    func run(in context: CommandContext) async throws {
        let call = ProgramCall(Array(self.exec.drop(while: { $0 == "--" })), for: context)
        var news = WatchNews(includesPresent: !self.noReplay)
        var left = self.count ?? .max
        try await context.withConnections { connection in
            news.connected()
            for try await event in try await connection.watch(self.pattern) {
                for report in news.heard(event) {
                    switch report {
                    case .changed(let changed):
                        if let call {
                            try await Self.run(call, for: changed, in: context)
                        } else {
                            try await context.show(Record(watched: changed), text: Self.text(of: changed, in: context))
                        }
                        left -= 1
                        if left == 0 { return }
                    case .synced:
                        guard call == nil else { continue }
                        var record = Record()
                        record.add("event", .string("synced"))
                        if context.format == .json { try await context.show(record, text: nil) }
                    }
                }
            }
        }
    }

    /// The limit on the bytes of an error's message in the environment, where the system takes no more than 128 KiB.
    fileprivate static let maximumMessageBytes = 4096

    private static func run(_ call: ProgramCall, for changed: Changed, in context: CommandContext) async throws {
        let input = context.results.line(Record(watched: changed), text: changed.value.map(context.results.wholeText))
        var call = call
        call.environment.merge(changed.variables) { $1 }
        let program: RunningProgram
        do {
            program = try RunningProgram(call, passesOutput: true)
        } catch {
            var failure = error
            failure.message = "\(changed.channel): \(failure.message)"
            return failure.report(as: context.format)
        }
        let end = try await program.supervised {
            if let input { await program.input.write(input) }
            program.input.close()
            return await program.ended()
        }
        try Task.checkCancellation()
        guard !end.isSuccess else { return }
        var failure = CommandFailure(call, end)
        failure.message += " for \(changed.channel)"
        failure.report(as: context.format)
    }

    /// The change for people: the name, a tab, and the value or the state.
    static func text(of changed: Changed, in context: CommandContext) -> String {
        let text =
            switch changed.state {
            case .open:
                (changed.value.map(context.results.text) ?? "open")
                    + (changed.wish.map { "\t\(context.results.text(of: $0))" } ?? "")
            case .completed: "completed"
            case .failed(let error): "failed\t\(error.code.onOneLine)\t\(error.message.onOneLine)"
            case nil: "deleted"
            }
        return "\(changed.channel)\t\(text)"
    }
}

extension Record {
    /// A change that a watch has reported.
    init(watched changed: Changed) {
        self.init()
        self.add("event", .string("changed"))
        self.add(changed)
    }
}

extension Changed {
    /// The environment of a program.
    fileprivate var variables: [String: String] {
        var variables = ["RAC_CHANNEL": self.channel.text, "RAC_REV": "\(self.revision)"]
        variables["RAC_STATE"] = (self.state?.word ?? .deleted).rawValue
        if case .failed(let error)? = self.state {
            variables["RAC_ERROR_CODE"] = error.code.onOneLine
            variables["RAC_ERROR_MESSAGE"] = error.message.cut(toBytes: WatchCommand.maximumMessageBytes).onOneLine
        }
        return variables
    }
}

import ArgumentParser
import RacClient

/// `racctl bind`: two-way, standard output and standard input.
struct BindCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind",
        abstract: "Binds to a channel: prints what others send, sends what you type.",
        discussion: """
            Prints each value as one line of JSON, the channel's present value first. Sends each line of standard \
            input as a value: JSON as it stands, anything else as a string. Values that you send are not printed.

            Ends when the channel ends: with 0 if it completed, with 8 and a message if it ended with an error. The \
            end of standard input does not end it; -n, --timeout and Ctrl-C do. `racctl bind -n 0 NAME < FILE` sends \
            all lines, waits until racd has taken them, and ends.

            A line that is not taken is told on standard error, and the value that the channel has instead is \
            printed; a bind that ends after -n values then ends with the code for the last one refused. If values come faster than they can be printed, only the newest is; in a paired channel, where \
            each one counts, that ends the bind with 9.
            """
    )

    static var streams: Bool { true }

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var role: RoleOptions

    @Option(name: .customShort("n"), help: ArgumentHelp("End after so many values.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("Do not print the present value if it has this revision.", valueName: "revision"))
    var since: UInt64?

    @Flag(help: "Do not print the present value.")
    var noReplay = false

    @Option(
        name: .customLong("default"),
        parsing: .unconditional,
        help: ArgumentHelp("The value to give a channel without one.", valueName: "value")
    )
    var defaultValue: String?

    @OptionGroup var values: ValueOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (self.count ?? 0) >= 0 else { throw ValidationError("-n takes a number from 0 on") }
    }

    private var request: Bind {
        var bind = Bind(channel: self.channel.name)
        bind.role = self.role.role
        bind.replay = self.noReplay ? false : nil
        bind.since = self.since.map(Revision.init)
        bind.defaultValue = self.defaultValue.map(self.values.value)
        return bind
    }

    func run(in session: Session) async throws {
        let binding = try await session.connection.bind(self.request)
        let sender = LineSender(binding: binding, values: self.values, format: session.format)
        let sending = Task {
            await sender.sendAll()
            if self.count == 0 { await Self.finish(binding) }
        }
        defer { sending.cancel() }
        try await self.show(binding, in: session) { sending.cancel() }
    }

    private func show(_ binding: Binding, in session: Session, stopSending: () -> Void) async throws {
        let count = self.count ?? .max
        var shown = 0
        var refusal: CommandFailure?
        for try await event in binding {
            switch event {
            case .value(let value) where shown < count:
                try await session.output.write(self.line(of: value, as: session.format))
                shown += 1
                guard shown == count else { continue }
                stopSending()
                await Self.finish(binding)
            case .value: break
            case .refused(let reason):
                refusal = CommandFailure(ClientError(reason))
                refusal?.report(as: session.format)
            case .ended(let end): return try await self.end(end, in: session)
            }
        }
        if let refusal { throw refusal }
    }

    /// Waits for the answers to what was sent, then unbinds; if the connection is lost meanwhile, the binding says so.
    private static func finish(_ binding: Binding) async {
        try? await binding.settled()
        await binding.leave()
    }

    private func line(of value: Valuation, as format: OutputFormat) -> String {
        switch format {
        case .text: return value.value.onOneLine
        case .json:
            var line = JSONLine()
            line.add("event", .string("next"))
            line.add("rev", value.revision)
            line.add("cause", value.cause)
            line.add("value", value.value)
            return line.text
        }
    }

    private func end(_ end: TerminalEnd, in session: Session) async throws {
        if session.format == .json {
            var line = JSONLine()
            line.add("event", .string(end.end == .completed ? "completed" : "error"))
            line.add("rev", end.revision)
            if case .failed(let error) = end.end { line.add("error", error) }
            try await session.output.write(line.text)
        }
        guard case .failed(let error) = end.end else { return }
        throw CommandFailure(error, of: self.channel.name, isChannels: end.revision != nil)
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

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
            printed; a bind that ends after -n values then ends with the code for the last one refused. If values \
            come faster than they can be printed, only the newest is; in a paired channel, where each one counts, \
            that ends the bind with 9.

            With a PROGRAM behind -- its output lines are sent, and the values are lines on its standard input. It \
            ends when the program ends and all its lines are taken: with 0, or with 1 and a message if the program's \
            status is not 0. When the channel ends the program's input ends; a program that stays is sent SIGTERM \
            after 2 s, and SIGKILL 2 s later.

            EXAMPLES
              racctl bind room/volume
              tail -f temperatures | racctl bind garden/temperature
              racctl bind lamp/desk --leading -- ./lamp-driver --port /dev/ttyUSB0
            """
    )

    static var streams: Bool { true }
    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    @OptionGroup var channel: ChannelArgument

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("What to run instead of standard input and output.", valueName: "program")
    )
    var program: [String] = []

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

    func run(in context: CommandContext) async throws {
        let call = ProgramCall(self.program, for: context)
        let binding = try await context.connection.bind(self.request)
        if let call {
            try await self.join(binding, call, in: context)
        } else {
            try await self.joinStandardFiles(binding, in: context)
        }
    }

    private func joinStandardFiles(_ binding: ChannelBinding, in context: CommandContext) async throws {
        let sender = self.sender(binding, .standard, "standard input", context.format)
        let sending = Task {
            await sender.sendAll()
            if self.count == 0 { await Self.finish(binding) }
        }
        defer { sending.cancel() }
        try await self.show(binding, on: context.output, as: context.format) {
            sending.cancel()
            await Self.finish(binding)
        }
    }

    private func join(_ binding: ChannelBinding, _ call: ProgramCall, in context: CommandContext) async throws {
        let program = try RunningProgram(call)
        let sender = self.sender(binding, program.output, "the output of \(call.name)", context.format)
        if self.count == 0 { program.input.close() }
        try await program.supervised {
            async let shown = self.show(binding, to: program, as: context.format)
            await sender.sendAll()
            while await program.output.next() != nil {}
            let end = await program.ended()
            await Self.finish(binding)
            let isChannelsEnd = try await shown.get()
            guard isChannelsEnd || end.isSuccess else { throw CommandFailure(call, end) }
        }
    }

    private func show(
        _ binding: ChannelBinding,
        to program: RunningProgram,
        as format: OutputFormat
    ) async -> Result<Bool, CommandFailure> {
        defer { program.finishInput() }
        do {
            return .success(
                try await self.show(binding, on: program.input, as: format, whenAllShown: program.input.close)
            )
        } catch {
            return .failure(CommandFailure(error))
        }
    }

    private func sender(
        _ binding: ChannelBinding,
        _ input: LineInput,
        _ source: String,
        _ format: OutputFormat
    ) -> LineSender {
        LineSender(binding: binding, input: input, source: source, values: self.values, format: format)
    }

    /// Writes what the binding brings until its end, and says whether that was the channel's.
    @discardableResult
    private func show(
        _ binding: ChannelBinding,
        on output: any LineOutput,
        as format: OutputFormat,
        whenAllShown: () async -> Void
    ) async throws -> Bool {
        let count = self.count ?? .max
        var shown = 0
        var refusal: CommandFailure?
        for try await event in binding {
            switch event {
            case .value(let value) where shown < count:
                try await output.write(self.line(of: value, as: format))
                shown += 1
                if shown == count { await whenAllShown() }
            case .value: break
            case .refused(let reason):
                refusal = CommandFailure(ClientError(reason))
                refusal?.report(as: format)
            case .ended(let end):
                try await self.show(end, on: output, as: format)
                return true
            }
        }
        if let refusal { throw refusal }
        return false
    }

    /// Waits for the answers to what was sent, then unbinds; if the connection is lost meanwhile, the binding says so.
    private static func finish(_ binding: ChannelBinding) async {
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

    private func show(_ end: TerminalEnd, on output: any LineOutput, as format: OutputFormat) async throws {
        if format == .json {
            var line = JSONLine()
            line.add("event", .string(end.end == .completed ? "completed" : "error"))
            line.add("rev", end.revision)
            if case .failed(let error) = end.end { line.add("error", error) }
            try await output.write(line.text)
        }
        guard case .failed(let error) = end.end else { return }
        throw CommandFailure(error, of: self.channel.name, isChannels: end.revision != nil)
    }
}

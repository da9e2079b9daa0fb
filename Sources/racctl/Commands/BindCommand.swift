import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl bind`: two-way, standard output and standard input.
struct BindCommand: ValueCommand, StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind",
        abstract: "Prints what others send to a channel, sends what you type.",
        usage: "racctl bind [<options>] <name> -- [<program> ...]",
        discussion: """
            Prints each value as one line of JSON, the channel's present value first. Sends each line of standard \
            input as a value: JSON as it stands, anything else as a string. Values that you send are not printed.

            Exits when the channel ends: with 0 if it completed, with 8 and a message if it ended with an error, and \
            with 4 if lines came behind its completion, which were not sent. At a terminal Ctrl-D ends it, too; the end \
            of another input does not. To send lines and exit, use racctl send.

            A line that is not sent is reported on standard error: one that looks like JSON and is not (--string sends \
            it), one that racd refuses, and the first empty one. A bind that ends after -n values then exits with the code for \
            the last one. If values come faster than they can be printed, only the newest is; in a paired channel, \
            where each one counts, that ends the bind with 9.

            When the connection is lost, bind connects again, sends what had no answer again, and goes on. That counts \
            once, unless racd was started anew meanwhile. After --timeout, and after --for if lines have no answer, \
            bind exits with 7 and says how many.

            With a PROGRAM behind -- its output lines are sent, and the values are lines on its standard input. bind \
            exits when the program ends and all its lines are taken: with 0, or with 1 and a message if the program's \
            status is not 0. A program that fails or is killed counts as lost, so a will applies. When the channel ends the program's input ends; a program that stays is sent SIGTERM \
            after 2 s, and SIGKILL 2 s later.

            EXAMPLES
              racctl bind room/volume
              tail -f temperatures | racctl bind garden/temperature
              racctl bind lamp/desk --leading -- ./lamp-driver /dev/ttyUSB0
              racctl bind status/kiosk --will '"lost"' < states
              racctl bind status/driver --will '"lost"' -- ./driver
            """
    )

    static var resumes: Bool { true }
    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    @OptionGroup var channel: ChannelArgument

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("What to run instead of standard input and output.", valueName: "program")
    )
    var program: [String] = []

    @OptionGroup var role: RoleOptions

    @Option(
        name: .customShort("n", allowingJoined: true),
        parsing: .unconditional,
        help: ArgumentHelp("Exit after this number of values.", valueName: "count")
    )
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

    @OptionGroup var will: WillOptions
    @OptionGroup var values: ValueOptions
    @OptionGroup var results: ResultOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    var session: String? { self.sessions.name }

    func validate() throws {
        guard (self.count ?? 0) >= 0 else { throw ValidationError("-n must be 0 or above: -n 0 prints no value") }
    }

    func run(in context: CommandContext) async throws {
        var bind = Bind(channel: self.channel.name)
        bind.role = self.role.role
        bind.replay = self.noReplay ? false : nil
        bind.since = self.since.map(Revision.init(_:))
        if let defaultValue {
            bind.defaultValue = try await ValueSource(argument: defaultValue, name: "--default").value(self.values)
        }
        bind.will = try await self.will.will(self.values)
        let binding = KeptBinding(bind)
        if let call = ProgramCall(self.program, for: context) {
            try await self.join(binding, call, in: context)
        } else {
            try await self.joinStandardFiles(binding, in: context)
        }
    }

    private func joinStandardFiles(_ binding: KeptBinding, in context: CommandContext) async throws {
        let input = LineInput.standard
        let endsWithInput = self.count == 0 || input.isTerminal
        let sender = self.sender(binding, input, context)
        let sending = Task {
            await sender.sendAll()
            if endsWithInput { await binding.finish() }
        }
        var finishing: Task<Void, Never>?
        defer {
            sending.cancel()
            finishing?.cancel()
        }
        let outcome = try await self.follow(binding, context, to: context.output) {
            sending.cancel()
            // After a loss the answers come over the next binding, which this task has to enter.
            finishing = Task { await binding.finish() }
        }
        if outcome.end != nil {
            // Lines that stand there already were meant for the channel; a line that nobody has written yet was not.
            if self.count == 0 {
                await withTaskCancellationHandler(operation: { await sending.value }, onCancel: sending.cancel)
            } else {
                await input.whenIdle()
            }
        } else if Task.isCancelled {
            // Lines that wait for a connection are counted.
            sending.cancel()
            await sending.value
        }
        try outcome.conclude(sender.summary, for: self.channel.name)
    }

    private func join(_ binding: KeptBinding, _ call: ProgramCall, in context: CommandContext) async throws {
        let program = try RunningProgram(call)
        let sender = self.sender(binding, program.output, context)
        if self.count == 0 { program.input.close() }
        try await program.supervised {
            async let followed = self.followed(binding, context, by: program)
            await sender.sendAll(drains: true)
            let end = await program.ended()
            // A cancelled command has ended the program itself.
            await binding.finish(as: end.isSuccess || Task.isCancelled ? .leaving : .lost)
            let outcome = try await followed.get()
            guard outcome.end != nil || end.isSuccess || Task.isCancelled else { throw CommandFailure(call, end) }
            try outcome.conclude(sender.summary, for: self.channel.name)
        }
    }

    private func followed(
        _ binding: KeptBinding,
        _ context: CommandContext,
        by program: RunningProgram
    ) async -> Result<KeptBinding.Outcome, CommandFailure> {
        defer { program.finishInput() }
        do {
            let outcome = try await self.follow(binding, context, to: program.input, whenAllShown: program.input.close)
            return .success(outcome)
        } catch {
            return .failure(CommandFailure(error))
        }
    }

    private func sender(_ binding: KeptBinding, _ input: LineInput, _ context: CommandContext) -> LineSender {
        LineSender(slot: binding.slot, input: input, values: self.values, sync: false, format: context.format)
    }

    /// Writes the values that the binding brings until its end.
    private func follow(
        _ binding: KeptBinding,
        _ context: CommandContext,
        to output: any LineOutput,
        whenAllShown: () -> Void
    ) async throws -> KeptBinding.Outcome {
        let count = self.count ?? .max
        var shown = 0
        let outcome = try await binding.run(in: context) { value in
            guard shown < count else { return }
            if let line = self.line(of: value, in: context) { try await output.write(line) }
            shown += 1
            if shown == count { whenAllShown() }
        }
        if let end = outcome.end, let line = context.results.line(self.record(of: end), text: nil) {
            try await output.write(line)
        }
        return outcome
    }

    private func line(of value: Valuation, in context: CommandContext) -> String? {
        context.results.line(self.record(of: value), text: context.results.text(of: value.value))
    }

    private func record(of value: Valuation) -> Record {
        var record = Record()
        record.add("event", .string("next"))
        record.add("channel", .string(self.channel.name.text))
        record.add("rev", value.revision)
        record.add("cause", value.cause)
        record.add("value", value.value)
        return record
    }

    private func record(of end: TerminalEnd) -> Record {
        var record = Record()
        record.add("event", .string(end.end == .completed ? "completed" : "error"))
        record.add("channel", .string(self.channel.name.text))
        record.add("rev", end.revision)
        if case .failed(let error) = end.end { record.add("error", error) }
        return record
    }
}

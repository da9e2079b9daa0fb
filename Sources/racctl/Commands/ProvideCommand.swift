import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl provide`: a program becomes a command.
struct ProvideCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "provide",
        abstract: "Hosts a command: runs a program for each execution.",
        usage: "racctl provide [<options>] <name> -- [<program> ...]",
        discussion: """
            For each execution the program is run with the input as one line of JSON on its standard input, and with \
            RAC_COMMAND and RAC_EXECUTION in its environment. Each line that it writes is a value for the caller: JSON \
            as it stands, anything else as a string. When the program exits with 0 the execution is completed; \
            otherwise it fails with the code failed, the last line of the program's standard error as its message, \
            and {"status":…} as data. A line that is no value, because it looks like JSON and is not, is not UTF-8 or \
            is too long, is reported here, and the execution fails. What the program writes to standard error is also \
            shown here, and standard error says "hosting NAME" when racd knows the command.

            One execution runs at a time, unless --concurrent. When the caller cancels, the program and what it has \
            started are sent SIGTERM, and SIGKILL 2 s later; the same happens to what runs when racd is lost. provide \
            then connects again by itself and hosts the command anew. Ctrl-C and --timeout end it, and running \
            programs with it. It exits with 4 if another client hosts the command, and with 5 if racd does not allow it, or \
            does not any more.

            EXAMPLES
              racctl provide room/blink -- ./blink --pin 7
              racctl provide backup -- sh -c 'tar czf /backups/home.tgz /home && echo done'
              racctl provide square --concurrent -- sh -c 'read x; echo $((x * x))'
            """
    )

    static var endsWithItsReader: Bool { false }
    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    @OptionGroup var command: CommandArgument

    @Argument(parsing: .postTerminator, help: ArgumentHelp("What to run.", valueName: "program"))
    var program: [String] = []

    @Flag(help: "Let several executions run at once, 256 at most.")
    var concurrent = false

    @OptionGroup var values: ValueOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    var session: String? { self.sessions.name }

    func validate() throws {
        guard !self.program.isEmpty else { throw ValidationError("a program is missing: provide NAME -- PROGRAM") }
    }

    func run(in context: CommandContext) async throws {
        guard var call = ProgramCall(self.program, for: context) else { return }
        try call.check()
        call.environment["RAC_COMMAND"] = self.command.name.text
        var request = HostCommand(command: self.command.name)
        request.isConcurrent = self.concurrent
        let executor = ProgramExecutor(call: call, values: self.values, format: context.format)
        var isHosting = false
        try await context.withConnections { connection in
            let hosting = try await connection.host(request)
            if !isHosting, context.format != .json {
                Descriptors.error.write("racctl: hosting \(self.command.name.text.visible)\n")
            }
            isHosting = true
            try await executor.run(hosting)
        }
    }
}

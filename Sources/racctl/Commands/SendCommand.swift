import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl send`: the lines of standard input become values.
struct SendCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends each line of standard input as a value, and exits.",
        usage: "racctl send [<options>] <name>",
        discussion: """
            JSON is sent as it stands, any other line as a string. Exits at the end of the input, when all values are \
            on racd's disk.

            A line that is not sent is reported on standard error: one that looks like JSON and is not, one that racd \
            refuses, and the first empty one. send then exits with the code for the last one; empty lines do not count. If the \
            channel ends, send exits with 4, or with 8 after an error, and says how many lines were not sent; after \
            --timeout it exits with 7, and says how many have no answer. When the connection is lost, send connects \
            again and sends what had no answer again: it counts once, unless racd was started anew meanwhile.

            EXAMPLES
              printf '%s\\n' 20.5 21 21.5 | racctl send garden/temperature
              jq -c '.items[]' list.json | racctl send queue --leading
            """
    )

    static var streams: Bool { true }
    static var resumes: Bool { true }
    static var endsWithItsReader: Bool { false }

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var role: RoleOptions

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var values: ValueOptions

    @Flag(help: "Exit with 6 when the connection is lost, instead of connecting again.")
    var once = false

    @OptionGroup var common: CommonOptions

    var endsWithConnection: Bool { self.once }

    func run(in context: CommandContext) async throws {
        var bind = Bind(channel: self.channel.name)
        bind.role = self.role.role
        bind.replay = false
        let binding = KeptBinding(bind)
        let sender = LineSender(
            slot: binding.slot,
            input: .standard,
            values: self.values,
            sync: !self.noSync,
            format: context.format
        )
        let sending = Task {
            await sender.sendAll()
            await binding.finish()
        }
        defer { sending.cancel() }
        let outcome = try await binding.run(in: context) { _ in }
        await withTaskCancellationHandler(operation: { await sending.value }, onCancel: sending.cancel)
        try outcome.conclude(sender.summary, for: self.channel.name)
    }
}

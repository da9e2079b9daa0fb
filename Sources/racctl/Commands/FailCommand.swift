import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl fail`: the channel cannot go on.
struct FailCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "fail",
        abstract: "Ends a channel with an error, for everybody.",
        usage: "racctl fail [<options>] <name> --code <code> --message <message>",
        discussion: """
            Whoever binds later gets the last value and then the error. An ended channel makes fail exit with 4. reopen \
            makes it live again.

            EXAMPLES
              racctl fail heater --code hot --message 'switched off at 95 °C'
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channel: ChannelArgument

    @Option(help: "What kind of error, for programs: 1 to 255 bytes of your choice.")
    var code: String

    @Option(parsing: .unconditional, help: "What happened and what helps, for people.")
    var message: String

    @Option(parsing: .unconditional, help: "More about it: JSON, else a string.")
    var data: String?

    @OptionGroup var values: ValueOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...WireError.maximumCodeBytes).contains(self.code.utf8.count) else {
            throw ValidationError("--code has 1 to \(WireError.maximumCodeBytes) bytes")
        }
    }

    func run(in context: CommandContext) async throws {
        var more: JSONText?
        if let data { more = try await ValueSource(argument: data, name: "--data").value(self.values) }
        let error = WireError(code: self.code, message: self.message, data: more)
        var finish = Finish(channel: self.channel.name, end: .failed(error))
        finish.sync = true
        try await context.change(.finish(finish), of: self.channel.name)
    }
}

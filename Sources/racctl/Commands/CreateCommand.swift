import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl create`: a channel that was not there.
struct CreateCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a channel; exits with 4 if it exists.",
        usage: "racctl create [<options>] <name>",
        discussion: """
            A channel is shared unless --paired is there: everybody reads and writes one value. In a paired channel what \
            one side sends reaches the other side only: a device, on the leading side, says what is; people, on the \
            following side, say what should be, which is called the wish.

            EXAMPLES
              racctl create heater --paired
              racctl create room/volume --value 11
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channel: ChannelArgument

    @Flag(help: "Make it a paired channel.")
    var paired = false

    @Option(parsing: .unconditional, help: "The value that it begins with.")
    var value: String?

    @OptionGroup var values: ValueOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var create = Create(channel: self.channel.name)
        create.mode = self.paired ? .paired : .shared
        if let value { create.value = try await ValueSource(argument: value, name: "--value").value(self.values) }
        create.sync = true
        try await context.change(.create(create), of: self.channel.name)
    }
}

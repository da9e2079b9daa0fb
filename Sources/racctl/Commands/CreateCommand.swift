import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl create`: a channel that was not there.
struct CreateCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a channel; ends with 4 if it exists.",
        discussion: """
            A channel is shared unless told otherwise: a property that everybody reads and writes. In a paired channel \
            what one side sends reaches the other side only: a device, as leading, says what is; people, as following, \
            say what should be.
            """
    )

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
        create.value = self.value.map(self.values.value)
        create.sync = true
        try await context.change(.create(create))
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl reopen`: an ended channel goes on.
struct ReopenCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Makes an ended channel live again, with its last value.",
        usage: "racctl reopen [<options>] <name>",
        discussion: "A channel that has not ended stays as it is, and reopen exits with 0."
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var order = ChannelOrder(channel: self.channel.name)
        order.sync = true
        try await context.change(.reopen(order), of: self.channel.name)
    }
}

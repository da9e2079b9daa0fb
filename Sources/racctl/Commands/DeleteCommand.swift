import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl delete`: the channel is forgotten.
struct DeleteCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Completes a channel for everybody and forgets it and its value."
    )

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var order = ChannelOrder(channel: self.channel.name)
        order.sync = true
        try await context.change(.delete(order))
    }
}

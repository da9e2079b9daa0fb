import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl delete`: the channel is forgotten.
struct DeleteCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Completes a channel for everybody and forgets it and its value.",
        discussion: """
            With --command racd forgets a command instead, which no client may host: it \
            ends with 4 if a client does. Who observes the command goes on observing it.
            """
    )

    @Flag(help: "The name is a command's: racd forgets that it was ever hosted.")
    var command = false

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        guard !self.command else { return try await context.forget(CommandName(self.channel.name)) }
        var order = ChannelOrder(channel: self.channel.name)
        order.sync = true
        try await context.change(.delete(order))
    }
}

extension CommandContext {
    /// Forgets a command that no client hosts.
    fileprivate func forget(_ command: CommandName) async throws {
        do throws(ClientError) {
            try await self.connection.forget(command)
        } catch {
            throw error.explained("forget commands")
        }
    }
}

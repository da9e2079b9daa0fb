import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl complete`: the channel's work is done.
struct CompleteCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Ends a channel with completion, for everybody."
    )

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var finish = Finish(channel: self.channel.name, end: .completed)
        finish.sync = true
        try await context.change(.finish(finish))
    }
}

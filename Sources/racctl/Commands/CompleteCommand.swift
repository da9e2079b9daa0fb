import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl complete`: the channel's work is done.
struct CompleteCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Ends a channel with completion, for everybody.",
        usage: "racctl complete [<options>] <name>",
        discussion: """
            A channel that has completed already stays so, and complete exits with 0; one that has ended with an error \
            makes it exit with 4. reopen makes an ended channel live again.
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var finish = Finish(channel: self.channel.name, end: .completed)
        finish.sync = true
        do {
            try await context.change(.finish(finish), of: self.channel.name)
        } catch let failure as CommandFailure where failure.code == ClientError.Code.terminated.rawValue {
            let got = try await context.connection.get(self.channel.name)
            guard got.state == .completed else { throw failure }
        }
    }
}

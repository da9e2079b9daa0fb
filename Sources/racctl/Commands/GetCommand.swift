import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl get`: how a channel is.
struct GetCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a channel's value.",
        discussion: """
            Prints the value as one line of JSON, also if the channel has ended, and nothing if the channel never had \
            a value. Ends with 3 if there is no such channel. With -o json it tells the revision, the state, the mode, \
            the time of the newest change (at, in milliseconds since 1970) and a paired channel's wish as well.
            """
    )

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let got = try await context.connection.get(self.channel.name)
        switch context.format {
        case .text:
            if let value = got.value { try await context.output.write(value.onOneLine) }
        case .json: try await context.output.write(self.json(got))
        }
    }

    private func json(_ got: Got) -> String {
        var line = JSONLine()
        line.add("channel", .string(self.channel.name.text))
        line.add("rev", got.revision)
        line.add(got.state)
        line.add("mode", .string(got.mode.rawValue))
        line.add("value", got.value)
        line.add("cause", got.cause)
        line.add("wishRev", got.wishRevision)
        line.add("wish", got.wish)
        line.add("at", .integer(Int(got.changedAt)))
        return line.text
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl toggle`: true becomes false, also while others write.
struct ToggleCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Turns a channel's true into false and the reverse.",
        usage: "racctl toggle [<options>] <name>",
        discussion: """
            Sets the new value only if nobody else has written meanwhile, else reads again: two toggles cancel each \
            other. A channel without a value becomes true. Exits with 4 if the value is neither true nor false. In a \
            paired channel it turns the wish; without one it begins from the value.
            """
    )

    @OptionGroup var channel: ChannelArgument

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var results: ResultOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.update(self.channel.name, sync: !self.noSync) { value in
            switch value?.text {
            case nil, "false": return try JSONText("true")
            case "true": return try JSONText("false")
            case let text?:
                throw CommandFailure(
                    .conflict,
                    code: "bad-value",
                    "\(self.channel.name) is neither true nor false: \(text.onOneLine)"
                )
            }
        }
    }
}

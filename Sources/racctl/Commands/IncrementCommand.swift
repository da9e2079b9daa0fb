import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl incr`: a number grows, also while others write.
struct IncrementCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "incr",
        abstract: "Adds to a channel's number, and prints the sum.",
        usage: "racctl incr [<options>] <name> [<n>]",
        discussion: """
            Reads the value, adds N, and sets the sum only if nobody else has written meanwhile, else again: no addition \
            is lost. The sum is exact. A channel without a value counts as 0. Exits with 4 if the value is no number. In a \
            paired channel the wish grows; without one it begins from the value.

            EXAMPLES
              racctl incr visitors
              racctl incr account/balance -12.50
            """
    )

    @OptionGroup var channel: ChannelArgument

    @Argument(help: ArgumentHelp("The number to add.", valueName: "n"), transform: { try Decimal(argument: $0) })
    var number = Decimal.one

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var results: ResultOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await context.update(self.channel.name, sync: !self.noSync) { value in
            guard let value else { return self.number.json }
            guard let number = Decimal(value) else {
                throw CommandFailure(
                    .conflict,
                    code: "bad-value",
                    "\(self.channel.name) is no number: \(value.onOneLine)"
                )
            }
            guard let sum = number.adding(self.number) else {
                throw CommandFailure(.limit, code: "limit", "the sum has more than 38 digits")
            }
            return sum.json
        }
    }
}

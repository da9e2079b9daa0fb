import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl wait`: nothing happens until a channel is so.
struct WaitCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits until a channel's value, or the channel, is as you say.",
        discussion: """
            EXPRESSION is one of

              42, true, '"on"', on     the channel has this value: JSON, else a string
              '!= off', '>= 20'        it has a value that compares so: == != < <= > >=
              '.temp > 20'             a part of it does: .room.temp, .list[0], ."odd name"
              exists                   there is such a channel
              completed, failed        it has ended so
              ended                    it has ended, no matter how
              deleted                  there is no such channel, or no longer

            Values are compared by their meaning: 1.0 is 1, and the order of members does not count. Only numbers \
            with numbers and strings with strings are less or greater. To wait for a string such as "exists" write \
            '"exists"'. In a paired channel the leading side's value counts.

            Ends with 0 as soon as it is so, at once if it is so already, and prints the value that the channel has \
            then. A channel that does not exist is waited for, not made. If the channel ends so that waiting is in \
            vain, wait ends with 8 if that was with an error and with 4 otherwise; after --timeout it ends with 7. A \
            value that is there for a moment only may be passed over.

            EXAMPLES
              racctl wait job/7/progress 100 --timeout 60
              racctl wait garden/weather '.wind >= 20' && racctl set garden/awning in
              racctl wait job/7 completed || echo "it ended badly: $?"
            """
    )

    static var streams: Bool { true }
    static var endsWithItsReader: Bool { false }

    @OptionGroup var channel: ChannelArgument

    @Argument(help: "What to wait for.", transform: { (text: $0, meaning: try WaitExpression($0)) })
    var expression: (text: String, meaning: WaitExpression)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var machine = WaitStateMachine(self.expression.meaning)
        for try await event in try await context.connection.watch(ChannelPattern(self.channel.name.text)) {
            switch event {
            case .changed(let changed):
                switch machine.changed(changed.state, value: changed.value) {
                case .wait: break
                case .finish: return try await self.show(changed, in: context)
                case .giveUp(let end): throw self.failure(end)
                }
            case .synced:
                switch machine.synced() {
                case .wait, .giveUp: break
                case .finish: return try await self.showNothing(in: context)
                }
            }
        }
    }

    private func show(_ changed: Changed, in context: CommandContext) async throws {
        switch context.format {
        case .text:
            if let value = changed.value { try await context.output.write(value.onOneLine) }
        case .json:
            var line = JSONLine()
            line.add(changed)
            try await context.output.write(line.text)
        }
    }

    private func showNothing(in context: CommandContext) async throws {
        guard context.format == .json else { return }
        var line = JSONLine()
        line.add("channel", .string(self.channel.name.text))
        line.add("state", .string("deleted"))
        try await context.output.write(line.text)
    }

    private func failure(_ end: ChannelEnd) -> CommandFailure {
        switch end {
        case .failed(let error): CommandFailure(error, of: self.channel.name, isChannels: true)
        case .completed:
            CommandFailure(
                .conflict,
                code: "terminated",
                "\(self.channel.name) has completed, so waiting for '\(self.expression.text)' is in vain"
            )
        }
    }
}

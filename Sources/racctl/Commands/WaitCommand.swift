import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl wait`: nothing happens until a channel is so.
struct WaitCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits until a channel has a given value or state.",
        usage: "racctl wait [<options>] <name> <expression>",
        discussion: """
            EXPRESSION is one of

              42, true, '"on"', on     the channel has this value: JSON, or one bare word
              '!= off', '>= 20'        its value compares like this: == != < <= > >=
              '.temp > 20'             a part of it does: .room.temp, .list[0], .["odd. name"]
              exists                   there is such a channel
              completed, failed        it has completed, or ended with an error
              ended                    it has ended, either way
              deleted                  there is no such channel, or no longer

            Values are compared by their meaning: 1.0 is 1, and the order of members does not count. Only numbers \
            with numbers and strings with strings are less or greater. A string with spaces, or one such as exists, \
            stands in quotes: '"exists"'. There is one comparison, without and, or. In a paired channel the leading \
            side's value counts.

            Exits with 0 as soon as the channel has that value or state, at once if it has it already, and prints its \
            value. A channel that does not exist is waited for, not created. If the channel ends otherwise, wait exits \
            with 8 if that was with an error and with 4 if not; after --timeout it exits with 7. A value that lasts \
            for a moment only may be passed over. When the connection is lost, wait connects again.

            EXAMPLES
              racctl wait job/7/progress 100 --timeout 60
              racctl wait garden/weather '.wind >= 20' && racctl set garden/awning in
              racctl wait job/7 completed || echo "job/7 has not completed: $?"
            """
    )

    static var streams: Bool { true }
    static var endsWithItsReader: Bool { false }

    @OptionGroup var channel: ChannelArgument

    @Argument(
        help: "What to wait for.",
        completion: .list(["exists", "completed", "failed", "ended", "deleted"]),
        transform: { (text: $0, meaning: try WaitExpression($0)) }
    )
    var expression: (text: String, meaning: WaitExpression)

    @OptionGroup var results: ResultOptions

    @Flag(help: "Exit with 6 when the connection is lost, instead of connecting again.")
    var once = false

    @OptionGroup var common: CommonOptions

    var endsWithConnection: Bool { self.once }

    func run(in context: CommandContext) async throws {
        var machine = WaitStateMachine(self.expression.meaning)
        try await context.withConnections { connection in
            machine.connected()
            for try await event in try await connection.watch(ChannelPattern(self.channel.name.text)) {
                let action =
                    switch event {
                    case .changed(let changed): machine.changed(changed.state, value: changed.value)
                    case .synced: machine.synced()
                    }
                if !machine.isThere { try await self.checkRight(over: connection) }
                switch (action, event) {
                case (.wait, _): break
                case (.finish, .changed(let changed)): return try await self.show(changed, in: context)
                case (.finish, .synced): return try await self.showNothing(in: context)
                case (.giveUp, .synced): throw self.failureOfDeletion
                case (.giveUp, .changed(let changed)) where changed.state == nil: throw self.failureOfDeletion
                case (.giveUp(let end), .changed): throw self.failure(end)
                }
            }
        }
    }

    /// Throws `forbidden` for a channel that may not be read: a watch leaves it out like one that is not there.
    private func checkRight(over connection: DaemonConnection) async throws {
        do throws(ClientError) {
            _ = try await connection.get(self.channel.name)
        } catch {
            guard error.code == .noSuchChannel else { throw error }
        }
    }

    private func show(_ changed: Changed, in context: CommandContext) async throws {
        var record = Record()
        record.add(changed)
        try await context.show(record, text: changed.value.map(context.results.wholeText))
    }

    private func showNothing(in context: CommandContext) async throws {
        var record = Record()
        record.add("channel", .string(self.channel.name.text))
        record.add("state", .string("deleted"))
        try await context.show(record, text: nil)
    }

    private var failureOfDeletion: CommandFailure {
        CommandFailure(
            .conflict,
            code: "terminated",
            "\(self.channel.name) was deleted before it was \(self.expression.text)"
        )
    }

    private func failure(_ end: ChannelEnd) -> CommandFailure {
        switch end {
        case .failed(let error): CommandFailure(error, of: self.channel.name, isChannels: true)
        case .completed:
            CommandFailure(
                .conflict,
                code: "terminated",
                "\(self.channel.name) has completed and will never be \(self.expression.text)"
            )
        }
    }
}

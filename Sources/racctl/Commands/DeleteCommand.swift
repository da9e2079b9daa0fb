import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl delete`: channels are forgotten.
struct DeleteCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Completes channels for everybody and forgets them.",
        usage: "racctl delete [<options>] <name> ...",
        discussion: """
            Patterns are asked about at a terminal, and need --yes elsewhere. Prints nothing; with -o json a line for \
            each deleted channel. Exits with 3 if there is no channel of one of the names; the others are deleted.

            With --command the names are those of commands, which racd forgets. It exits with 4 if a client hosts one of \
            them. Clients that observe the command go on observing it.

            EXAMPLES
              racctl delete job/7 job/8
              racctl delete 'job/**' --yes
            """
    )

    static var streams: Bool { true }
    static var endsWithItsReader: Bool { false }
    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channels: ChannelsArgument

    @Flag(help: "The names are those of commands.")
    var command = false

    @Flag(name: .shortAndLong, help: "Do not ask before a pattern's channels are deleted.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var names: [ChannelName] = []
        for target in self.channels.targets {
            switch target {
            case .channel(let name): names.append(name)
            case .pattern(let pattern):
                let matches = try await self.names(of: pattern, over: context.connection)
                try await self.confirm(pattern, matches.count)
                names += matches
            }
        }
        var last: CommandFailure?
        for name in names {
            do {
                try await self.delete(name, in: context)
            } catch let failure as CommandFailure {
                var failure = failure
                if names.count > 1 { failure.report(as: context.format) }
                last = failure
            }
        }
        if let last { throw last }
    }

    private func delete(_ name: ChannelName, in context: CommandContext) async throws {
        guard !self.command else { return try await context.forget(CommandName(name)) }
        var order = ChannelOrder(channel: name)
        order.sync = true
        try await context.change(.delete(order), of: name)
    }

    private func names(of pattern: ChannelPattern, over connection: DaemonConnection) async throws -> [ChannelName] {
        var names: [ChannelName] = []
        if self.command {
            try await connection.forEachPage(ofCommands: pattern) { names += $0.map(\.command.name) }
        } else {
            try await connection.forEachPage(of: pattern) { names += $0.map(\.channel) }
        }
        return names
    }

    private func confirm(_ pattern: ChannelPattern, _ count: Int) async throws(CommandFailure) {
        guard !self.yes, count > 0 else { return }
        let noun = self.command ? "command" : "channel"
        let channels = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        guard Descriptors.input.isTerminal, Descriptors.error.isTerminal else {
            let message = "\(pattern) matches \(channels): --yes deletes them"
            throw CommandFailure(.usage, code: "usage", message)
        }
        Descriptors.error.write("Delete \(channels) that \(count == 1 ? "matches" : "match") \(pattern)? [y/N] ")
        guard case .text(let answer)? = await LineInput.standard.next(), ["y", "yes"].contains(answer.lowercased())
        else {
            throw CommandFailure(.interrupted, code: "cancelled", "nothing was deleted")
        }
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

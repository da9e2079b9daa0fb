import ArgumentParser

/// Parts of the parser's description, which is as long for all subcommands as ten requests to racd take.
extension Racctl {
    /// The options of one subcommand, or of `help`; nil if there is no subcommand of this name.
    static func options(of name: String) -> [CommandCatalog.Option]? {
        let subcommands = Self.configuration.subcommands
        guard let command = subcommands.first(where: { $0._commandName == name || name == "help" }) else { return nil }
        return Self.catalog(of: command)?.subcommands.first { $0.name == name }?.options
    }

    /// The description that a completion of these words needs: that of the subcommand that they begin with, if there is one.
    static func catalog(completing words: [String]) -> CommandCatalog? {
        let subcommands = words.count > 1 ? Self.configuration.subcommands : []
        guard let command = subcommands.first(where: { $0._commandName == words[0] }) else {
            return CommandCatalog(Self._dumpHelp())
        }
        return Self.catalog(of: command)
    }

    private static func catalog<Command: ParsableCommand>(of command: Command.Type) -> CommandCatalog? {
        CommandCatalog(RootOfOne<Command>._dumpHelp())
    }
}

/// A root like ``Racctl`` with one of its subcommands.
private struct RootOfOne<Command: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Racctl._commandName,
            version: Racctl.configuration.version,
            subcommands: [Command.self]
        )
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// The command line's root: its help and its subcommands.
struct Racctl: AsyncParsableCommand {
    static let version = ProductVersion.current

    /// The names of the subcommands.
    static var subcommandNames: [String] { Self.configuration.subcommands.compactMap { $0.configuration.commandName } }

    static let configuration = CommandConfiguration(
        commandName: "racctl",
        abstract: "Reads, writes and binds the channels of racd.",
        discussion: """
            A channel is a value with a name, such as room/volume, that many programs share: what one writes, all \
            others see at once, and it stays after they are gone. Channels can also end, with completion or with an \
            error. A command is work that one program hosts and any other executes.

            Values are JSON. A VALUE that is JSON is taken as it stands; anything else becomes a string, so that

              racctl set room/volume 42             sets the number 42
              racctl set room/title Quiet hour      is a mistake: one VALUE, please
              racctl set room/title 'Quiet hour'    sets the string "Quiet hour"

            Standard output has data only, messages go to standard error.

            ACCESS
            A racd on a network may want a token. It lies in a file that only you have rights to, and never stands on \
            a command line. A context names a racd with its token file:

              racctl context add lab --server racs://lab:7220 --token-file ~/.rac/lab
              racctl --context lab get room/volume

            What is not written behind a command comes from RACD_SERVER and RACCTL_TOKEN_FILE, then from the context \
            that `racctl context use` has named. A racd that --server or RACD_SERVER names gets no context's token.

            COMPLETION
            The Tab key completes subcommands, options and the names that racd knows, once the shell has read a script:

              source <(racctl --generate-completion-script bash)
                in ~/.bashrc
              source <(racctl --generate-completion-script zsh)
                in ~/.zshrc, behind compinit
              racctl --generate-completion-script fish | source
                in config.fish

            EXIT CODES
            \(ExitStatus.table)
            """,
        version: "racctl \(Self.version)",
        groupedSubcommands: [
            CommandGroup(
                name: "Values",
                subcommands: [
                    GetCommand.self, SetCommand.self, SendCommand.self, BindCommand.self, LinkCommand.self,
                    WatchCommand.self, MonitorCommand.self, WaitCommand.self, TransactionCommand.self,
                    IncrementCommand.self, ToggleCommand.self,
                ]
            ),
            CommandGroup(
                name: "Channels",
                subcommands: [
                    ListCommand.self, WhoCommand.self, CreateCommand.self, CompleteCommand.self, FailCommand.self,
                    ReopenCommand.self,
                    DeleteCommand.self, ExportCommand.self, ImportCommand.self,
                ]
            ),
            CommandGroup(
                name: "Commands",
                subcommands: [CommandsCommand.self, ExecCommand.self, ProvideCommand.self, ObserveCommand.self]
            ),
            CommandGroup(
                name: "Daemon",
                subcommands: [
                    StatusCommand.self, TopCommand.self, PingCommand.self, BenchCommand.self, UICommand.self,
                    ContextCommand.self,
                ]
            ),
        ]
    )
}

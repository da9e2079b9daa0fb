import ArgumentParser
import RacConnection
import RacProtocol

/// The name of a command as an argument.
struct CommandArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The command's name, such as room/blink.", valueName: "name"),
        completion: NameCompletion.commands,
        transform: { try CommandName($0) }
    )
    var name: CommandName
}

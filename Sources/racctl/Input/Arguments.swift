import ArgumentParser
import RacConnection
import RacProtocol

/// The name of a channel as an argument.
struct ChannelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The channel's name, such as room/volume.", valueName: "name"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var name: ChannelName
}

/// A pattern as an argument that may be left out.
struct PatternArgument: ParsableArguments {
    @Argument(
        help: "The pattern; without it, all channels.",
        completion: NameCompletion.channels,
        transform: { try ChannelPattern($0) }
    )
    var pattern: ChannelPattern?

    var orAll: ChannelPattern { self.pattern ?? .all }
}

/// Whether the channel is seen from its leading side.
struct RoleOptions: ParsableArguments {
    @Flag(help: "Be on the leading side, the model's; the following side, the view's, is the default.")
    var leading = false

    var role: Role { self.leading ? .leading : .following }
}

/// How values are understood.
struct ValueOptions: ParsableArguments {
    @Flag(help: "Take every value as a string, even if it is JSON.")
    var string = false

    func value(_ text: String) -> JSONText {
        JSONText(written: text, isString: self.string)
    }
}

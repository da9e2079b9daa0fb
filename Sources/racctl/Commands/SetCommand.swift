import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl set`: one value, safe on racd's disk when the command returns.
struct SetCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a channel's value.",
        discussion: """
            A VALUE that is JSON is taken as it stands, anything else is a string. - reads the value from standard \
            input, @FILE from a file; the JSON string '"@home"' is how to write a string that begins so. Write -- \
            before a VALUE that begins with a minus and is no number.

            Returns when the value is on racd's disk. A channel that does not exist is created.
            """
    )

    @OptionGroup var channel: ChannelArgument

    @Argument(help: "The value, or - for standard input, or @FILE.")
    var value: String

    @OptionGroup var values: ValueOptions
    @OptionGroup var role: RoleOptions

    @Option(
        help: ArgumentHelp(
            "Set it only if the channel's value still has this revision (0: no value yet); else end with 4.",
            valueName: "revision"
        )
    )
    var ifRev: UInt64?

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let text = try ValueSource(argument: self.value).text()
        var set = SetValue(channel: self.channel.name, value: self.values.value(text))
        set.role = self.role.role
        set.condition = self.ifRev.map(Revision.init)
        set.sync = !self.noSync
        try await context.change(.set(set))
    }
}

import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl set`: one value, safe on racd's disk when the command returns.
struct SetCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a channel's value.",
        usage: "racctl set [<options>] <name> <value>",
        discussion: """
            A VALUE that is JSON is taken as it stands, anything else is a string. A VALUE that begins with { or [ and \
            is not JSON is refused, unless --string says that a string is meant. - reads the value from standard \
            input, @FILE from a file, which must not be empty; the JSON string '"@home"' is how to write a string that \
            begins so. Write -- before a VALUE that begins with a minus and is no number.

            Exits when the value is on racd's disk. A channel that does not exist is created.

            EXAMPLES
              racctl set room/volume 11
              racctl set room/title 'Quiet hour'
              curl -sf https://example.org/weather | racctl set garden/weather -
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @OptionGroup var channel: ChannelArgument

    @Argument(help: "The value, or - for standard input, or @FILE.", completion: NameCompletion.value)
    var value: String

    @OptionGroup var values: ValueOptions
    @OptionGroup var role: RoleOptions

    @Option(
        help: ArgumentHelp(
            "Set it only if the channel's value still has this revision (0: no value yet); else exit with 4.",
            valueName: "revision"
        )
    )
    var ifRev: UInt64?

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let value = try await ValueSource(argument: self.value).value(self.values)
        var set = SetValue(channel: self.channel.name, value: value)
        set.role = self.role.role
        set.condition = self.ifRev.map(Revision.init(_:))
        set.sync = !self.noSync
        try await context.change(.set(set), of: self.channel.name)
    }
}

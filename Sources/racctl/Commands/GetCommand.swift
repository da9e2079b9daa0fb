import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl get`: how channels are.
struct GetCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a channel's value, or those of several channels.",
        usage: "racctl get [<options>] <name> ...",
        discussion: """
            Prints the value as one line of JSON, also if the channel has ended, and nothing if the channel never had \
            a value. For several names, and for a pattern, each line has the name, a tab and the value. Exits with 3 \
            if there is no channel of one of the names.

            With -o json it shows the revision, the state, the mode, the time of the newest change (at, in \
            milliseconds since 1970), its writer (by, in a racd that knows its clients) and a paired channel's wish \
            as well.

            EXAMPLES
              racctl get room/title --raw
              racctl get 'room/*'
              racctl get room/volume -F '{value} since {time}'
            """
    )

    static var streams: Bool { true }
    static var endsWithItsReader: Bool { false }

    @OptionGroup var channels: ChannelsArgument
    @OptionGroup var results: ResultOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var last: CommandFailure?
        for target in self.channels.targets {
            switch target {
            case .channel(let name):
                do {
                    try await self.show(name, try await context.connection.get(name), in: context)
                } catch let error as ClientError {
                    // With one name the command's end says it.
                    var failure = CommandFailure(error)
                    if self.channels.targets.count > 1 { failure.report(as: context.format) }
                    last = failure
                }
            case .pattern(let pattern):
                try await context.connection.forEachChannel(of: pattern) { try await self.show($0, $1, in: context) }
            }
        }
        if let last { throw last }
    }

    private func show(_ name: ChannelName, _ got: Got, in context: CommandContext) async throws {
        let results = context.results
        try await context.show(
            Record(name, got),
            text: self.channels.isOne
                ? got.value.map(results.wholeText) : "\(name)\t\(got.value.map(results.text) ?? "")"
        )
    }
}

extension Record {
    /// All that the daemon knows of a channel.
    init(_ channel: ChannelName, _ got: Got) {
        self.init()
        self.add("channel", .string(channel.text))
        self.add("rev", got.revision)
        self.add(got.state)
        self.add("mode", .string(got.mode.rawValue))
        self.add("value", got.value)
        self.add("cause", got.cause)
        self.add("wishRev", got.wishRevision)
        self.add("wish", got.wish)
        self.add("at", .integer(Int(got.changedAt)))
        self.add("by", got.by.map(JSONText.string))
    }
}

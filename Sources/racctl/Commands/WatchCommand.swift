import ArgumentParser
import RacClient

/// `racctl watch`: many channels, how they are and how they change.
struct WatchCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the channels that match a pattern, and each of their changes.",
        discussion: """
            In a pattern * stands for one segment of a name and ** for any number of them: room/*, **/volume.

            Each line has a name, a tab, and the value as JSON. If there is no value, or the channel ended or was \
            deleted, the state stands there instead, without quotes: open, completed, deleted, or failed with the \
            error's code and message after further tabs. If changes come faster than they can be printed, only the \
            newest of each channel is. With -o json, {"event":"synced"} follows when all that was there is told.
            """
    )

    static var streams: Bool { true }

    @Argument(help: "The pattern.", transform: { try ChannelPattern($0) })
    var pattern: ChannelPattern

    @OptionGroup var common: CommonOptions

    func run(in session: Session) async throws {
        for try await event in try await session.connection.watch(self.pattern) {
            if let line = Self.line(of: event, as: session.format) { try await session.output.write(line) }
        }
    }

    private static func line(of event: WatchEvent, as format: OutputFormat) -> String? {
        switch (event, format) {
        case (.changed(let changed), .text): "\(changed.channel)\t\(Self.text(of: changed))"
        case (.changed(let changed), .json): Self.json(of: changed)
        case (.synced, .text): nil
        case (.synced, .json): "{\"event\":\"synced\"}"
        }
    }

    private static func text(of changed: Changed) -> String {
        switch changed.state {
        case .open: changed.value?.onOneLine ?? "open"
        case .completed: "completed"
        case .failed(let error): "failed\t\(error.code.onOneLine)\t\(error.message.onOneLine)"
        case nil: "deleted"
        }
    }

    private static func json(of changed: Changed) -> String {
        var line = JSONLine()
        line.add("event", .string("changed"))
        line.add("channel", .string(changed.channel.text))
        line.add("rev", changed.revision)
        if let state = changed.state { line.add(state) } else { line.add("state", .string("deleted")) }
        line.add("value", changed.value)
        return line.text
    }
}

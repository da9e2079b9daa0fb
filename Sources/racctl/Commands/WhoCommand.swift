import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl who`: who sees a channel.
struct WhoCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "who",
        abstract: "Lists who is bound to a channel.",
        discussion: """
            Each line has the number of a connection (later ones have greater numbers), the side that it is bound to, \
            what it gets when it is slow (newest: the newest value; every: each value; or the newest once in so many \
            milliseconds), slow if there is something that it has not made room for, and what the client says that \
            it is. Ends with 3 if there is no such channel.

            EXAMPLES
              racctl who room/volume
              racctl who room/volume -o json | jq -r .agent
            """
    )

    @OptionGroup var channel: ChannelArgument
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var ask = AskWho(channel: self.channel.name)
        while true {
            let who = try await context.connection.who(ask)
            // A daemon that does not know `after` tells the beginning again.
            if let after = ask.after, let first = who.entries.first, first.client.connection <= after { break }
            for entry in who.entries { try await context.output.write(Self.line(of: entry, as: context.format)) }
            guard who.more, let last = who.entries.last else { return }
            ask.after = last.client.connection
        }
        var notice = CommandFailure(.other, code: "limit", "there are more, which this racd does not tell")
        notice.report(as: context.format)
    }

    private static func line(of entry: Who.Entry, as format: OutputFormat) -> String {
        switch format {
        case .text:
            let columns = [
                "\(entry.client.connection)".aligned(right: 6), entry.role.rawValue.aligned(left: 9),
                Self.text(of: entry.delivery).aligned(left: 9), (entry.isSlow ? "slow" : "-").aligned(left: 4),
            ]
            return columns.joined(separator: "  ") + "  \(entry.client.agent?.onOneLine ?? "-")"
        case .json: return Self.json(of: entry)
        }
    }

    private static func json(of entry: Who.Entry) -> String {
        var line = JSONLine()
        line.add("connection", .integer(Int(clamping: entry.client.connection)))
        line.add("agent", entry.client.agent.map(JSONText.string))
        line.add("role", .string(entry.role.rawValue))
        line.add("gets", .string(Self.text(of: entry.delivery)))
        line.add("slow", entry.isSlow)
        return line.text
    }

    private static func text(of delivery: Who.Delivery) -> String {
        switch delivery {
        case .newest: "newest"
        case .every: "every"
        case .paced(let interval): "\(interval) ms"
        }
    }
}

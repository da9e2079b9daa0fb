import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl who`: the clients of a channel, or of racd.
struct WhoCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "who",
        abstract: "Lists who is bound to a channel, or connected to racd.",
        usage: "racctl who [<options>] [<name>]",
        discussion: """
            Each line has the number of a connection (later ones have greater numbers) and ends with the time since \
            the client connected, its address (of a Unix socket the process and the user), and its name (see --name) \
            or else its program's. Without NAME the number of the client's bindings stands between. With the NAME of \
            a channel each line is a binding: the side that it is bound to, what it gets when it is slow (newest: \
            the newest value; every: each value; or the newest once in that time), and slow if the client is not \
            reading fast enough. -o json has both names. Exits with 3 if there is no such channel.

            EXAMPLES
              racctl who
              racctl who room/volume
              racctl who room/volume -o json | jq -r .agent
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @Argument(
        help: ArgumentHelp("The channel's name; without it, all connections.", valueName: "name"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var channel: ChannelName?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        if let channel = self.channel {
            try await Self.listBindings(of: channel, in: context)
        } else {
            try await Self.listConnections(in: context)
        }
    }

    /// A table with these columns between those of each client.
    private static func table(with columns: [Table.Column]) -> Table {
        let client = [
            Table.Column(heading: "AGE", isNumber: true), Table.Column(heading: "PEER"),
            Table.Column(heading: "CLIENT"),
        ]
        return Table([Table.Column(heading: "CONNECTION", isNumber: true)] + columns + client)
    }

    private static func row(_ cells: [String], of client: ConnectedClient, now: Int64) -> [String] {
        let age = client.since.map { Duration.milliseconds(max(0, now - $0)).inOneUnit } ?? "-"
        return ["\(client.connection)"] + cells + [age, client.peer?.description.onOneLine ?? "-", client.title]
    }
}

// MARK: All connections

extension WhoCommand {
    private static func listConnections(in context: CommandContext) async throws {
        var table = Self.table(with: [Table.Column(heading: "BINDINGS", isNumber: true)])
        let now = WallClock.now
        var last: UInt64?
        while true {
            let page = try await Self.connections(after: last, over: context.connection)
            try await context.show(page.entries, in: &table) { entry in
                Self.row(["\(entry.bound)"], of: entry.client, now: now)
            } record: { entry in
                Self.record(of: entry)
            }
            guard page.more, let next = page.entries.last?.client.connection else { return }
            last = next
        }
    }

    private static func connections(
        after last: UInt64?,
        over connection: DaemonConnection
    ) async throws -> ListedConnections {
        do throws(ClientError) {
            return try await connection.connections(after: last)
        } catch {
            guard error.code == .badMessage else { throw error }
            throw CommandFailure(tooOldTo: "list connections")
        }
    }

    private static func record(of entry: ListedConnections.Entry) -> Record {
        var record = Record()
        record.add(entry.client)
        record.add("bound", .integer(Int(clamping: entry.bound)))
        return record
    }
}

// MARK: The bindings of a channel

extension WhoCommand {
    private static let bindingColumns = [
        Table.Column(heading: "SIDE"), Table.Column(heading: "GETS"), Table.Column(heading: "SLOW"),
    ]

    private static func listBindings(of channel: ChannelName, in context: CommandContext) async throws {
        var table = Self.table(with: Self.bindingColumns)
        let now = WallClock.now
        var ask = AskWho(channel: channel)
        while true {
            let who = try await context.connection.who(ask)
            // A daemon that does not know `after` tells the beginning again.
            if let after = ask.after, let first = who.entries.first, first.client.connection <= after { break }
            try await context.show(who.entries, in: &table) { entry in
                let cells = [entry.role.rawValue, Self.text(of: entry.delivery), entry.isSlow ? "slow" : "-"]
                return Self.row(cells, of: entry.client, now: now)
            } record: { entry in
                Self.record(of: entry)
            }
            guard who.more, let last = who.entries.last else { return }
            ask.after = last.client.connection
        }
        var notice = CommandFailure(.other, code: "limit", "there are more, which this racd does not tell")
        notice.report(as: context.format)
    }

    private static func record(of entry: Who.Entry) -> Record {
        var record = Record()
        record.add(entry.client)
        record.add("role", .string(entry.role.rawValue))
        record.add("gets", .string(Self.text(of: entry.delivery)))
        record.add("slow", entry.isSlow)
        return record
    }

    private static func text(of delivery: Who.Delivery) -> String {
        switch delivery {
        case .newest: "newest"
        case .every: "every"
        case .paced(let interval): "\(interval) ms"
        }
    }
}

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
            Each line has the number of a connection (later ones have greater numbers). It ends with the time since \
            the client connected, the transport (tcp, tls, unix, websocket or http), the client's address (of a Unix \
            socket the process and the user), and its name (see --name) or else its program's; in a racd that knows \
            its clients the principal stands before the name. Without NAME the number of the client's bindings \
            stands between. With the NAME of a channel each line is a binding: the side that it is bound to, what it \
            gets when it is slow (newest: the newest value; every: each value; or the newest once in that time), and \
            slow if the client is not reading fast enough. -o json has both names. Exits with 3 if there is no such \
            channel.

            EXAMPLES
              racctl who
              racctl who room/volume
              racctl who room/volume -o json | jq -r .agent
            """
    )

    static var streams: Bool { true }
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

    /// The table of clients, with columns between those of each client.
    private struct ClientTable {
        let columns: [Table.Column]
        /// Whether racd knows its clients, as its first answer shows.
        private var hasPrincipals: Bool?
        private var table: Table?

        init(_ columns: [Table.Column]) {
            self.columns = columns
        }

        /// Writes a page of entries.
        mutating func show<Entry>(
            _ entries: [Entry],
            in context: CommandContext,
            client: (Entry) -> ConnectedClient,
            cells: (Entry) -> [String],
            record: (Entry) -> Record
        ) async throws {
            let hasPrincipals = self.hasPrincipals ?? entries.contains { client($0).principal != nil }
            self.hasPrincipals = hasPrincipals
            var table = self.table ?? Table(self.headings(hasPrincipals))
            let now = WallClock.now
            try await context.show(entries, in: &table) { entry in
                WhoCommand.row(cells(entry), of: client(entry), hasPrincipals, now: now)
            } record: { entry in
                record(entry)
            }
            self.table = table
        }

        private func headings(_ hasPrincipals: Bool) -> [Table.Column] {
            [Table.Column(heading: "CONNECTION", isNumber: true)] + self.columns + [
                Table.Column(heading: "AGE", isNumber: true), Table.Column(heading: "VIA"),
                Table.Column(heading: "PEER"),
            ] + (hasPrincipals ? [Table.Column(heading: "PRINCIPAL")] : []) + [Table.Column(heading: "CLIENT")]
        }
    }

    private static func row(
        _ cells: [String],
        of client: ConnectedClient,
        _ hasPrincipals: Bool,
        now: Int64
    ) -> [String] {
        let age = client.since.map { Duration.milliseconds(max(0, now - $0)).inOneUnit } ?? "-"
        let principal = hasPrincipals ? [client.principal?.onOneLine ?? "-"] : []
        let (via, peer) = (client.transport?.rawValue ?? "-", client.peer?.description.onOneLine ?? "-")
        return ["\(client.connection)"] + cells + [age, via, peer] + principal + [client.title]
    }
}

// MARK: All connections

extension WhoCommand {
    private static func listConnections(in context: CommandContext) async throws {
        var table = ClientTable([Table.Column(heading: "BINDINGS", isNumber: true)])
        var order = PageOrder<UInt64>()
        while true {
            let page = try await Self.connections(after: order.last, over: context.connection)
            try order.take(page.entries.map(\.client.connection))
            try await table.show(page.entries, in: context, client: \.client) { entry in
                ["\(entry.bound)"]
            } record: { entry in
                Self.record(of: entry)
            }
            guard page.more, !page.entries.isEmpty else { return }
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
        var table = ClientTable(Self.bindingColumns)
        var ask = AskWho(channel: channel)
        var order = PageOrder<UInt64>()
        while true {
            let who = try await context.connection.who(ask)
            // A daemon that does not know `after` lists the beginning again.
            if let after = ask.after, let first = who.entries.first, first.client.connection <= after { break }
            try order.take(who.entries.map(\.client.connection))
            try await table.show(who.entries, in: context, client: \.client) { entry in
                [entry.role.rawValue, Self.text(of: entry.delivery), entry.isSlow ? "slow" : "-"]
            } record: { entry in
                Self.record(of: entry)
            }
            guard who.more, !who.entries.isEmpty else { return }
            ask.after = order.last
        }
        var notice = CommandFailure(.other, code: "limit", "there are more, which this racd does not list")
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

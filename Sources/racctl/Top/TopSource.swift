import RacConnection
import RacProtocol

/// Samples the daemon repeatedly, and counts the changes between two samples.
struct TopSource {
    private let pattern: ChannelPattern
    /// The present connection; a later one counts on from the samples of the one before.
    var connection: DaemonConnection
    private var earlier: TopSample?
    private var all: [TopRow] = []
    private var status: DaemonStatus?
    /// Changes of all channels a second; nil if it is not known yet.
    private var rate: Double?
    /// The channels that were shown since the last count, as they were then.
    private var standings: [ChannelName: ChannelSnapshot?] = [:]

    init(pattern: ChannelPattern, connection: DaemonConnection) {
        self.pattern = pattern
        self.connection = connection
    }

    /// Notes the present state of the channels, so that the next table knows their rates.
    mutating func look() async throws {
        self.earlier = try await TopSample(of: self.pattern, over: self.connection)
    }

    /// The changes since the last sample, of at most this number of channels.
    mutating func table(rows limit: Int) async throws -> TopTable {
        try await self.refresh()
        return try await self.table(Array(self.all.prefix(max(0, limit))))
    }

    /// Counts the changes since the last sample.
    mutating func refresh() async throws {
        self.status = try await DaemonStatus(of: self.connection)
        let sample = try await TopSample(of: self.pattern, over: self.connection)
        self.all = sample.rows(after: self.earlier)
        self.rate = self.earlier.map { [all] _ in all.reduce(0) { $0 + ($1.rate ?? 0) } }
        self.earlier = sample
        self.standings = [:]
    }

    /// The rows of the last count that a view shows.
    ///
    /// - Parameters:
    ///   - events: The owner of the view.
    ///   - limit: The number of rows that there is a place for.
    /// - Returns: The table with the values since that count.
    /// - Throws: `ClientError` if the daemon does not answer.
    mutating func table(for events: ScreenEvents, rows limit: Int) async throws -> TopTable {
        let rows = events.withView { [all] view in
            let arranged = view.arranged(all)
            return Array(arranged[view.window(of: arranged.count, on: limit)])
        }
        return try await self.table(rows)
    }

    private mutating func table(_ rows: [TopRow]) async throws -> TopTable {
        guard let status, let sample = self.earlier else { preconditionFailure("refresh comes first") }
        var rows = rows
        let new = rows.map(\.entry.channel).filter { self.standings[$0] == nil }
        for (channel, standing) in zip(new, try await self.connection.snapshots(of: new)) {
            self.standings[channel] = .some(standing)
        }
        for index in rows.indices { rows[index].standing = self.standings[rows[index].entry.channel] ?? nil }
        return TopTable(status: status, sample: sample, rows: rows, rate: self.rate)
    }
}

import RacConnection
import RacProtocol

/// Samples the daemon repeatedly, and counts the changes between two samples.
struct TopSource {
    private let pattern: ChannelPattern
    private let connection: DaemonConnection
    private var earlier: TopSample?

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
        let status = try await DaemonStatus(of: self.connection)
        let sample = try await TopSample(of: self.pattern, over: self.connection)
        let all = sample.rows(after: self.earlier)
        var rows = Array(all.prefix(max(0, limit)))
        let standings = try await self.connection.snapshots(of: rows.map(\.entry.channel))
        for (index, standing) in standings.enumerated() { rows[index].standing = standing }
        let rate = self.earlier.map { _ in all.reduce(0) { $0 + ($1.rate ?? 0) } }
        self.earlier = sample
        return TopTable(status: status, sample: sample, rows: rows, rate: rate)
    }
}

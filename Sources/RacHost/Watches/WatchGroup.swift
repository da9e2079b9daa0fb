import RacProtocol

/// The watches of one connection, and the account of the names that they keep.
///
/// Guarded by the host's isolation.
final class WatchGroup {
    private(set) var watches: [WatchID: Watch] = [:]

    /// The segments of all watched patterns.
    private(set) var segmentCount = 0

    let names: MemoryAccount

    /// Whether more names of deleted channels wait for the watches than may.
    var isTooFarBehind = false

    init(limits: Limits) {
        self.names = MemoryAccount(limit: limits.watchNameBytesPerConnection)
    }

    func add(_ watch: Watch) {
        self.watches[watch.pattern.id] = watch
        self.segmentCount += watch.pattern.pattern.segments.count
    }

    func remove(_ watch: Watch) {
        self.watches[watch.pattern.id] = nil
        self.segmentCount -= watch.pattern.pattern.segments.count
    }
}

import RacClient
import RacConnection
import RacProtocol

/// The news of a watch over several connections.
struct WatchNews {
    /// As many channels as a daemon keeps by default.
    private static let maximumChannels = 1_000_000

    private var memory = WatchMemory(maximumChannels: Self.maximumChannels)
    private var connections = 0
    /// Whether all present states have come over this connection.
    private var isSynced = false
    private let includesPresent: Bool

    /// - Parameter includesPresent: Whether the states at the beginning are news.
    init(includesPresent: Bool) {
        self.includesPresent = includesPresent
    }

    /// Another connection begins to report.
    mutating func connected() {
        self.connections += 1
        self.isSynced = false
        self.memory.watchedAnew()
    }

    /// The news in an event: none if it was reported before, several if channels are gone.
    mutating func heard(_ event: WatchEvent) -> [WatchEvent] {
        switch event {
        case .changed(let changed):
            let isNew = self.memory.changed(changed) != .nothing
            return isNew && (self.isSynced || self.connections > 1 || self.includesPresent) ? [event] : []
        case .synced:
            self.isSynced = true
            let gone = self.memory.synced().map { channel, revision in
                Changed(watch: WatchID(0), channel: channel, revision: revision, state: nil, value: nil)
            }
            return gone.map(WatchEvent.changed) + (self.connections == 1 ? [event] : [])
        }
    }
}

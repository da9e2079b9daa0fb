import RacProtocol

/// The watched patterns, and the watches by connection.
struct WatchTable {
    /// The watched patterns, in no order.
    private(set) var patterns: [WatchedPattern] = []

    /// Grows with each pattern that comes or goes, because the places in `patterns` change then.
    private(set) var version: UInt64 = 0

    private var byPattern: [ChannelPattern: WatchedPattern] = [:]
    private var watches: [ConnectionID: [WatchID: Watch]] = [:]
    private var lastNumber: UInt64 = 0

    /// The watched pattern; a new one if there is none and a place is free.
    mutating func use(_ pattern: ChannelPattern, most: Int) -> WatchedPattern? {
        if let watched = self.byPattern[pattern] { return watched }
        guard self.patterns.count < most else { return nil }
        self.lastNumber += 1
        self.version += 1
        let watched = WatchedPattern(id: WatchID(self.lastNumber), pattern: pattern)
        self.patterns.add(watched)
        self.byPattern[pattern] = watched
        return watched
    }

    /// The places of the matching patterns in `patterns`, valid for this version.
    func places(matching name: ChannelName) -> [Int] {
        self.patterns.indices.filter { self.patterns[$0].pattern.matches(name) }
    }

    func count(of connection: ConnectionID) -> Int { self.watches[connection]?.count ?? 0 }

    func has(_ id: WatchID, of connection: ConnectionID) -> Bool { self.watches[connection]?[id] != nil }

    mutating func add(_ watch: Watch) {
        watch.pattern.add(watch)
        self.watches[watch.connection.id, default: [:]][watch.pattern.id] = watch
    }

    /// Ends a watch; returns whether there was one.
    mutating func remove(_ id: WatchID, of connection: ConnectionID) -> Bool {
        guard let watch = self.watches[connection]?.removeValue(forKey: id) else { return false }
        self.end(watch)
        return true
    }

    /// Ends all watches of a connection.
    mutating func removeAll(of connection: ConnectionID) {
        guard let watches = self.watches.removeValue(forKey: connection) else { return }
        for watch in watches.values { self.end(watch) }
    }

    /// Takes a watch from its pattern, and a pattern without watches from the table.
    private mutating func end(_ watch: Watch) {
        watch.isOver = true
        watch.pattern.remove(watch)
        guard watch.pattern.watches.isEmpty else { return }
        self.version += 1
        self.byPattern[watch.pattern.pattern] = nil
        self.patterns.remove(watch.pattern)
    }
}

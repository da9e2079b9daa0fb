import DequeModule
import RacProtocol

/// The watched patterns, and the changes that wait to be matched with them.
struct WatchTable {
    let index = PatternIndex()

    /// The names that all watches keep.
    let names: MemoryAccount

    let long = LongChange()

    /// The channels with changes that wait to be matched; a deletion may have been matched since.
    private var waiting: Deque<HostedChannel> = []

    private var byPattern: [ChannelPattern: WatchedPattern] = [:]
    private var groups: [ConnectionID: WatchGroup] = [:]
    private let limits: Limits
    private var lastWatch: UInt64 = 0
    private var lastMatch: MatchNumber = 0

    init(limits: Limits) {
        self.limits = limits
        self.names = MemoryAccount(limit: limits.watchNameBytes)
    }

    var isEmpty: Bool { self.byPattern.isEmpty }

    /// The number of watched patterns.
    var count: Int { self.byPattern.count }

    subscript(_ pattern: ChannelPattern) -> WatchedPattern? { self.byPattern[pattern] }

    /// The watches of a connection; nil if it has none.
    func group(of connection: ConnectionID) -> WatchGroup? { self.groups[connection] }

    /// The number of watches of a connection.
    func count(of connection: ConnectionID) -> Int { self.groups[connection]?.watches.count ?? 0 }

    /// Makes a connection's watch of a pattern.
    mutating func add(_ pattern: ChannelPattern, _ connection: HostedConnection, _ directory: ChannelDirectory) -> Watch
    {
        let group = self.groups[connection.id] ?? WatchGroup(limits: self.limits)
        self.groups[connection.id] = group
        let watched = self.byPattern[pattern] ?? self.add(pattern)
        let watch = Watch(
            connection: connection,
            pattern: watched,
            directory: directory,
            group: group,
            allNames: self.names
        )
        watched.add(watch)
        group.add(watch)
        return watch
    }

    private mutating func add(_ pattern: ChannelPattern) -> WatchedPattern {
        self.lastWatch += 1
        let watched = WatchedPattern(id: WatchID(self.lastWatch), pattern: pattern, long: self.long)
        self.byPattern[pattern] = watched
        self.index.insert(watched)
        return watched
    }

    /// Ends a watch; returns whether there was one.
    mutating func remove(_ id: WatchID, of connection: ConnectionID) -> Bool {
        guard let group = self.groups[connection], let watch = group.watches[id] else { return false }
        group.remove(watch)
        if group.watches.isEmpty { self.groups[connection] = nil }
        self.end(watch)
        return true
    }

    /// Ends all watches of a connection.
    mutating func removeAll(of connection: ConnectionID) {
        guard let group = self.groups.removeValue(forKey: connection) else { return }
        for watch in group.watches.values {
            group.remove(watch)
            self.end(watch)
        }
    }

    /// Takes a watch from its pattern, and a pattern without watches from the table.
    private mutating func end(_ watch: Watch) {
        watch.end()
        watch.pattern.remove(watch)
        guard watch.pattern.watches.isEmpty else { return }
        self.byPattern[watch.pattern.pattern] = nil
        self.index.remove(watch.pattern)
    }

    mutating func nextMatch() -> MatchNumber {
        self.lastMatch += 1
        return self.lastMatch
    }
}

// MARK: Changes that wait

extension WatchTable {
    /// Whether changes wait to be matched.
    var hasWaiting: Bool { !self.waiting.isEmpty }

    /// Keeps a channel for a later match, which tells its newest state then.
    mutating func wait(_ channel: HostedChannel) {
        guard !channel.awaitsMatch else { return }
        channel.awaitsMatch = true
        self.waiting.append(channel)
    }

    /// The next channel that waits; nil if none does.
    mutating func nextWaiting() -> HostedChannel? {
        while let channel = self.waiting.popFirst() {
            guard channel.awaitsMatch else { continue }
            channel.awaitsMatch = false
            return channel
        }
        return nil
    }
}

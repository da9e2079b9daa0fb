import DequeModule
import RacProtocol

/// The watched patterns, and the changes that wait to be matched with them.
struct WatchTable {
    let index = PatternIndex()

    /// The names that all watches keep.
    let names: MemoryAccount

    let long = LongChange()

    /// The channels with changes that wait to be matched; some may have been matched since.
    private var waiting: Deque<HostedChannel> = []

    private var byPattern: [ChannelPattern: WatchedPattern] = [:]
    private var lastWatch: UInt64 = 0
    private var lastMatch: MatchNumber = 0

    init(limits: Limits) {
        self.names = MemoryAccount(limit: limits.watchNameBytes)
    }

    var isEmpty: Bool { self.byPattern.isEmpty }

    /// The number of watched patterns.
    var count: Int { self.byPattern.count }

    subscript(_ pattern: ChannelPattern) -> WatchedPattern? { self.byPattern[pattern] }

    /// Watches a pattern that nobody watches yet.
    mutating func add(_ pattern: ChannelPattern) -> WatchedPattern {
        self.lastWatch += 1
        let watched = WatchedPattern(id: WatchID(self.lastWatch), pattern: pattern, long: self.long)
        self.byPattern[pattern] = watched
        self.index.insert(watched)
        return watched
    }

    /// Takes a watch from its pattern, and a pattern without watches from the table.
    mutating func remove(_ watch: Watch) {
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

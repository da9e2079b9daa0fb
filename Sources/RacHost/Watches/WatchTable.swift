import DequeModule
import RacAccess
import RacProtocol

/// The watched patterns, and the changes that wait to be matched with them.
struct WatchTable {
    let index = PatternIndex()

    /// The names that all watches keep.
    let names: MemoryAccount

    let long = LongChange()

    /// The channels with changes that wait to be matched; a deletion may have been matched since.
    private var waiting: Deque<HostedChannel> = []

    /// A pattern with its number, and a log for each kind of reader.
    private struct Entry {
        let id: WatchID
        /// The logs by what their clients may read; that of nil is for those who may read all names.
        var logs: [Rights.Sight?: WatchedPattern]

        /// The log of clients with these rights.
        func log(of rights: Rights?) -> WatchedPattern? { self.logs[rights?.sight] }
    }

    private var byPattern: [ChannelPattern: Entry] = [:]
    private var groups: [ConnectionID: WatchGroup] = [:]
    private let limits: Limits
    private var lastWatch: UInt64 = 0
    private var lastMatch: MatchNumber = 0

    init(limits: Limits) {
        self.limits = limits
        self.names = MemoryAccount(limit: limits.watchNameBytes)
    }

    var isEmpty: Bool { self.byPattern.isEmpty }

    /// The number of watched patterns, where one that clients with different rights watch counts several times.
    private(set) var count = 0

    /// Whether a connection may not share the log of another one for this pattern.
    func needsLog(_ pattern: ChannelPattern, for connection: HostedConnection) -> Bool {
        self.byPattern[pattern]?.log(of: self.filter(of: pattern, for: connection)) == nil
    }

    /// The rights that leave out names of a pattern for a client; nil if it may read all of them.
    private func filter(of pattern: ChannelPattern, for connection: HostedConnection) -> Rights? {
        connection.rights.flatMap { $0.readsAll && !pattern.isReserved ? nil : $0 }
    }

    /// The number of a pattern; nil if nobody watches it.
    subscript(_ pattern: ChannelPattern) -> WatchID? { self.byPattern[pattern]?.id }

    /// The watches of a connection; nil if it has none.
    func group(of connection: ConnectionID) -> WatchGroup? { self.groups[connection] }

    /// The number of watches of a connection.
    func count(of connection: ConnectionID) -> Int { self.groups[connection]?.watches.count ?? 0 }

    /// Makes a connection's watch of a pattern.
    mutating func add(_ pattern: ChannelPattern, _ connection: HostedConnection, _ directory: ChannelDirectory) -> Watch
    {
        let group = self.groups[connection.id] ?? WatchGroup(limits: self.limits)
        self.groups[connection.id] = group
        let watched = self.log(of: pattern, for: connection)
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

    /// The log of a pattern for a connection's kind of reader; a new one if there is none.
    private mutating func log(of pattern: ChannelPattern, for connection: HostedConnection) -> WatchedPattern {
        let rights = self.filter(of: pattern, for: connection)
        if let log = self.byPattern[pattern]?.log(of: rights) { return log }
        if self.byPattern[pattern] == nil {
            self.lastWatch += 1
            self.byPattern[pattern] = Entry(id: WatchID(self.lastWatch), logs: [:])
        }
        let id = self.byPattern[pattern]?.id ?? WatchID(self.lastWatch)
        let log = WatchedPattern(id: id, pattern: pattern, rights: rights, long: self.long)
        self.byPattern[pattern]?.logs[rights?.sight] = log
        self.count += 1
        self.index.insert(log)
        return log
    }

    /// Lets a connection's watches go on with its new rights.
    ///
    /// - Parameters:
    ///   - connection: The connection, with its new rights.
    ///   - newest: The newest revision.
    mutating func judgeAnew(_ connection: HostedConnection, newest: Revision) {
        for watch in self.groups[connection.id]?.watches.values.map(\.self) ?? [] {
            let log = self.log(of: watch.pattern.pattern, for: connection)
            let earlier = watch.pattern
            guard log !== earlier else { continue }
            earlier.remove(watch)
            let view = FormerView(pattern: earlier, newest: newest)
            watch.goOn(in: log, after: view, at: self.lastMatch)
            log.add(watch)
            self.removeIfUnused(earlier)
        }
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
        self.removeIfUnused(watch.pattern)
    }

    private mutating func removeIfUnused(_ log: WatchedPattern) {
        guard log.watches.isEmpty else { return }
        self.byPattern[log.pattern]?.logs[log.rights?.sight] = nil
        self.count -= 1
        if self.byPattern[log.pattern]?.logs.isEmpty == true { self.byPattern[log.pattern] = nil }
        self.index.remove(log)
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

    /// Keeps a channel for a later match, which reports its newest state then.
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

import RacProtocol

extension Host {
    /// A channel changed: finds the patterns that match it, now or in a later turn.
    ///
    /// A deletion does not wait, because nobody finds the channel later. It has a message of its own, so its cost has a
    /// limit.
    func tellWatchers(of channel: HostedChannel, deleted: Bool) {
        // A later watch must not report it as a channel.
        if deleted { channel.awaitsMatch = false }
        guard !self.watches.isEmpty else { return }
        if deleted {
            self.match(channel, deleted: true)
        } else if self.work.hasRoom, !channel.awaitsMatch {
            self.match(channel, deleted: false)
        } else {
            self.watches.wait(channel)
        }
    }

    /// Matches changes that had to wait.
    ///
    /// They have a part of each turn for themselves: other work, which may overdraw a turn, cannot delay them for ever.
    func matchWaiting() {
        guard self.watches.hasWaiting else { return }
        var units = self.limits.unitsPerTurn / 4
        while units > 0, let channel = self.watches.nextWaiting() {
            units -= self.match(channel, deleted: false)
        }
    }

    /// Notifies the patterns that match a channel of its change; returns the units that this cost.
    @discardableResult
    private func match(_ channel: HostedChannel, deleted: Bool) -> Int {
        let index = self.watches.index
        channel.match = self.watches.nextMatch()
        var units = Work.visits(index.find(channel.name))
        if !index.found.isEmpty {
            units += index.found.reduce(0) { $0 + Work.verdict($1.rights) }
            let isFiltered = index.found.contains { $0.rights != nil }
            if deleted, isFiltered { units += self.tellDeletionOfHidden(channel, index.found) }
            let patterns = isFiltered ? index.found.filter { $0.shows(channel.name) } : index.found
            if !patterns.isEmpty { units += self.tell(patterns, channel, deleted: deleted) }
        }
        self.work.spend(units)
        return units
    }

    /// Reports a deletion to clients that may not read the channel any more, and have not learned that yet.
    private func tellDeletionOfHidden(_ channel: HostedChannel, _ patterns: [WatchedPattern]) -> Int {
        let record = channel.machine.record
        let change = WatchLog.Change(record, channel.match, isDeletion: true)
        var units = 0
        for pattern in patterns where pattern.behindCount > 0 && !pattern.shows(channel.name) {
            units += pattern.watches.count
            for watch in pattern.watches where !watch.isOver {
                watch.collect(hidden: change, of: channel)
                if watch.isTooFarBehind { self.endFarBehind(watch.connection) }
            }
        }
        return units
    }

    /// Puts a change into the logs of patterns; returns the units that this cost.
    private func tell(_ patterns: [WatchedPattern], _ channel: HostedChannel, deleted: Bool) -> Int {
        let record = channel.machine.record
        let change = WatchLog.Change(record, channel.match, isDeletion: deleted)
        var units = 0
        for pattern in patterns {
            units += Work.delivery + pattern.behindCount
            if self.tick.touch(pattern) { units += Work.delivery * pattern.watches.count }
            pattern.tellMessage(of: record, deleted: deleted)
        }
        if patterns.count == 1 {
            patterns[0].tell(change, record)
        } else if record.isLong, !deleted {
            for pattern in patterns { pattern.tell(change, long: record) }
        } else {
            let encoded = EncodedChange(Changed(record, watch: patterns[0].id, deleted: deleted))
            units += patterns.count * Work.bytes(encoded.byteCount)
            for pattern in patterns { pattern.tell(change, encoded) }
        }
        return units
    }

    /// Gives the changes of this tick to the watches.
    func collectPatterns() {
        self.matchWaiting()
        let room = self.work.room
        var units = room
        for pattern in self.tick.patterns {
            pattern.isTouched = false
            for watch in pattern.watches where !watch.isOver {
                watch.collect(&units)
                self.tick.list(watch.connection)
                if watch.isTooFarBehind { self.endFarBehind(watch.connection) }
            }
            pattern.endTick()
        }
        self.work.spend(room - units)
        self.tick.removePatterns()
        self.watches.long.endTick()
    }

    /// Ends a connection, and its watches at once: their names would be counted with each further change.
    private func endFarBehind(_ connection: HostedConnection) {
        self.evict(connection, because: WireError(.slowConsumer, "too many deleted channels wait for the watches"))
        self.watches.removeAll(of: connection.id)
    }
}

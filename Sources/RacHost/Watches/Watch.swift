import RacAccess
import RacProtocol

/// One connection's watch of a pattern.
///
/// Guarded by the host's isolation.
///
/// A watch with room takes the frames of the pattern's log. Without room it keeps the names of the changed channels. If
/// these become too many it gives them up, and walks through the directory again for the channels that changed since.
///
/// Semantics: protocol.md, "Watches".
final class Watch: Subscriber, Placed {
    /// After this many names without a pause the watch walks instead: a channel that changes all the time would wait for
    /// ever behind others.
    private static let mostInRow = 4_096

    private(set) var pattern: WatchedPattern

    /// The watch's place among the pattern's watches.
    var place = 0

    private let directory: ChannelDirectory

    private let group: WatchGroup

    /// The account of the names of all watches of the daemon.
    private let allNames: MemoryAccount

    private var walk = DirectoryWalk()
    private var changed = ChangedNames()
    private var toldInRow = 0

    /// Whether no name can be given up.
    private var keepsOnlyDeleted = true

    /// Whether the pattern counts the watch among those that are behind.
    private var isBehind = false

    init(
        connection: HostedConnection,
        pattern: WatchedPattern,
        directory: ChannelDirectory,
        group: WatchGroup,
        allNames: MemoryAccount
    ) {
        self.pattern = pattern
        self.directory = directory
        self.group = group
        self.allNames = allNames
        super.init(connection: connection)
    }

    /// Whether the connection has to end, because too many names of deleted channels wait.
    var isTooFarBehind: Bool { self.group.isTooFarBehind }

    /// The watch has ended.
    func end() {
        self.isOver = true
        self.setBehind(false)
        self.edit { $0 = ChangedNames() }
    }

    /// The client's rights have changed: a walk reports the channels that appear or disappear by that.
    ///
    /// - Parameters:
    ///   - log: The log of the pattern for the new rights.
    ///   - view: The channels that the client was shown until now.
    ///   - match: The newest match, through which the names behind the walk are reported.
    func goOn(in log: WatchedPattern, after view: FormerView, at match: MatchNumber) {
        // The walk reports them, too.
        self.giveUpNames()
        self.setBehind(false)
        self.pattern = log
        self.setBehind(true)
        self.walk.rightsChanged(after: view, told: match)
        self.connection.lag(self)
    }

    override func serve(at time: Time) -> OnServed {
        guard !self.isOver else { return .served }
        self.tellChanged()
        if self.toldInRow > Self.mostInRow { self.giveUpNames() }
        guard self.changed.isEmpty, self.goOn() else { return .unserved }
        self.setBehind(false)
        return .served
    }

    private func setBehind(_ isBehind: Bool) {
        guard self.isBehind != isBehind else { return }
        self.isBehind = isBehind
        self.pattern.behindCount += isBehind ? 1 : -1
    }
}

// MARK: Changes

extension Watch {
    /// Takes the changes of the pattern's log.
    ///
    /// - Parameter units: The units of work that are left for encoding long values; without any their names are kept.
    func collect(_ units: inout Int) {
        let first = self.take(&units)
        let changes = self.pattern.log.changes
        guard first < changes.count else { return }
        self.setBehind(true)
        for change in changes[first...] where self.mustTell(change) { self.keep(change) }
        self.connection.lag(self)
    }

    /// A channel was deleted that the client may not read any more: it must be notified if it was shown the channel.
    func collect(hidden deletion: WatchLog.Change, of channel: HostedChannel) {
        guard let stretch = self.walk.stretch(of: deletion.channel), stretch.told != nil,
            let former = stretch.former, former.showed(channel)
        else { return }
        let known = WatchLog.Change(
            channel: deletion.channel,
            revision: min(deletion.revision, former.newest),
            number: deletion.number,
            isDeletion: true
        )
        self.keep(known)
        self.connection.lag(self)
    }

    /// Takes frames or messages while there is room; returns the number of changes that were taken.
    private func take(_ units: inout Int) -> Int {
        guard self.changed.isEmpty, self.walk.isOver else { return 0 }
        let log = self.pattern.log
        guard !self.connection.outgoing.takesMessages else { return self.take(log.messages) }
        for place in log.pieces.indices {
            guard self.connection.hasRoom, let frames = self.pattern.frames(ofPiece: place, &units) else {
                return log.pieces[place].firstChange
            }
            self.connection.outgoing.append(frames)
        }
        guard self.connection.hasRoom else { return log.firstChange }
        if !log.frames.isEmpty { self.connection.outgoing.append(log.frames) }
        return log.changes.count
    }

    private func take(_ list: MessageList) -> Int {
        guard self.connection.hasRoom else { return 0 }
        // A list that is not long is taken whole, so that it stays shared.
        guard list.byteCount > HostedConnection.roomBytes else {
            self.connection.outgoing.append(list)
            return list.messages.count
        }
        for (place, message) in list.messages.enumerated() {
            guard self.connection.hasRoom else { return place }
            self.connection.outgoing.append(message)
        }
        return list.messages.count
    }

    /// Whether the walk does not come to the channel, or cannot find it because it was deleted.
    private func mustTell(_ change: WatchLog.Change) -> Bool {
        change.isDeletion ? !self.walk.isUntold(change.channel) : !self.walk.isAhead(change.channel)
    }

    private func keep(_ change: WatchLog.Change) {
        guard self.hasPlace || self.makesPlace(for: change) else { return }
        let entry = ChangedNames.Entry(channel: change.channel, revision: change.revision, number: change.number)
        if !change.isDeletion { self.keepsOnlyDeleted = false }
        self.edit { $0.append(entry) }
    }

    private var hasPlace: Bool { self.group.names.hasPlace(for: 1) && self.allNames.hasPlace(for: 1) }

    /// Gives up the names of all watches of the connection; returns whether the change must be kept now, and may.
    private func makesPlace(for change: WatchLog.Change) -> Bool {
        for watch in self.group.watches.values { watch.giveUpNames() }
        guard self.mustTell(change) else { return false }
        let names = self.group.names
        // With less place than a quarter the names would be given up again and again.
        guard !self.allNames.hasPlace(for: 1) || !names.hasPlace(for: names.limit / 4) else { return true }
        if change.isDeletion {
            self.group.isTooFarBehind = true
        } else {
            self.walk.repeatTold(through: change.number - 1)
        }
        return false
    }

    /// Walks through the directory again instead of keeping names; only names of deleted channels are left.
    private func giveUpNames() {
        guard !self.keepsOnlyDeleted else { return }
        self.keepsOnlyDeleted = true
        var first: MatchNumber?
        self.edit { changed in
            changed.removeAll { entry in
                guard self.directory.knownRecord(entry.channel) != nil else { return true }
                if first == nil, !self.walk.isAhead(entry.channel) { first = entry.number }
                return false
            }
        }
        self.toldInRow = 0
        if let first { self.walk.repeatTold(through: first - 1) }
    }

    /// Changes the names and counts their bytes.
    private func edit<Result>(_ body: (inout ChangedNames) -> Result) -> Result {
        let before = self.changed.bytes
        let result = body(&self.changed)
        let growth = self.changed.bytes - before
        self.group.names.changed(by: growth)
        self.allNames.changed(by: growth)
        return result
    }
}

// MARK: Reports

extension Watch {
    private var mayTell: Bool { self.connection.hasRoom && self.connection.unitsLeft > 0 }

    private func tellChanged() {
        while self.mayTell, let entry = self.edit({ $0.popFirst() }) {
            self.connection.unitsLeft -= Work.name
            self.toldInRow += 1
            self.tell(entry)
        }
        if self.changed.isEmpty { self.toldInRow = 0 }
    }

    private func tell(_ entry: ChangedNames.Entry) {
        self.connection.unitsLeft -= Work.verdict(self.pattern.rights)
        guard let channel = self.directory[entry.channel], channel.machine.isKnown, self.pattern.shows(entry.channel)
        else { return self.tellDeleted(entry.channel, entry.revision) }
        // The walk, or a match to come, reports the channel's newest state.
        guard !channel.awaitsMatch, !self.walk.isAhead(entry.channel) else { return }
        self.pattern.write(channel.machine.record, deleted: false, to: &self.connection.outgoing)
    }

    private func tellDeleted(_ name: ChannelName, _ revision: Revision) {
        let record = ChannelRecord(name: name, mode: .shared, revision: revision, changedAt: 0)
        self.pattern.write(record, deleted: true, to: &self.connection.outgoing)
    }

    /// Goes on walking through the directory; returns whether the walk is over.
    private func goOn() -> Bool {
        while let stretch = self.walk.stretch {
            guard self.tell(stretch) else { return false }
            if self.walk.finishStretch() { self.connection.outgoing.append(.synced(self.pattern.id)) }
        }
        return true
    }

    /// Reports the channels of a stretch; returns whether the watch has come to its end.
    private func tell(_ stretch: DirectoryWalk.Stretch) -> Bool {
        var isThrough = true
        self.directory.forEach(in: self.pattern.pattern, after: self.walk.last) { name in
            if let end = stretch.end, end < name { return false }
            guard self.mayTell, self.tell(name, stretch) else {
                isThrough = false
                return false
            }
            self.walk.last = name
            return true
        }
        return isThrough
    }

    /// Reports a channel's state if it matches and is news; returns false if a change of it has yet to be matched.
    private func tell(_ name: ChannelName, _ stretch: DirectoryWalk.Stretch) -> Bool {
        self.connection.unitsLeft -= Work.name + Work.match(name, self.pattern.pattern)
        guard self.pattern.pattern.matches(name), let channel = self.directory[name], channel.machine.isKnown else {
            return true
        }
        guard !channel.awaitsMatch else { return false }
        self.connection.unitsLeft -= Work.verdict(self.pattern.rights)
        let isShown = self.pattern.shows(name)
        let wasShown = stretch.former?.showed(channel) ?? isShown
        if stretch.told != nil, wasShown, !isShown, let former = stretch.former {
            self.tellDeleted(name, min(channel.machine.record.revision, former.newest))
        }
        guard isShown else { return true }
        if channel.match > stretch.told ?? 0 || stretch.told == nil || !wasShown {
            self.pattern.write(channel.machine.record, deleted: false, to: &self.connection.outgoing)
        }
        return true
    }
}

import DequeModule
import RacProtocol

/// One connection's watch of a pattern.
///
/// Guarded by the host's isolation.
final class Watch: Subscriber, Placed {
    private enum Phase {
        /// The watch is sending the present channels in the order of their names, and has reached this one.
        case telling(through: ChannelName?)
        case synced
    }

    let pattern: WatchedPattern

    /// The watch's place among the pattern's watches.
    var place = 0

    private let directory: ChannelDirectory
    private var phase = Phase.telling(through: nil)
    private var position: UInt64

    /// Channels whose changes did not fit, in their turn, each with the revision of its newest change.
    private var changed: [ChannelName: Revision] = [:]
    private var turns: Deque<ChannelName> = []

    init(connection: HostedConnection, pattern: WatchedPattern, directory: ChannelDirectory) {
        self.pattern = pattern
        self.directory = directory
        self.position = pattern.log.end
        super.init(connection: connection)
    }

    /// The number of channels whose changes wait.
    var waiting: Int { self.changed.count }

    /// Takes the frames of the pattern's log.
    func collect() {
        guard let frames = self.pattern.log.frames(from: self.position) else { return }
        self.position = self.pattern.log.end
        if case .synced = self.phase, self.changed.isEmpty, self.connection.hasRoom {
            self.connection.outgoing.append(frames)
            return
        }
        for (channel, revision) in self.pattern.changed where self.hasTold(channel) {
            if self.changed.updateValue(revision, forKey: channel) == nil { self.turns.append(channel) }
        }
        self.connection.lag(self)
    }

    private func hasTold(_ channel: ChannelName) -> Bool {
        switch self.phase {
        case .synced: true
        case .telling(through: let last?): channel <= last
        case .telling(through: nil): false
        }
    }

    override func serve(at time: Time) -> OnServed {
        guard !self.isOver else { return .served }
        self.tellChanged()
        guard self.turns.isEmpty else { return .unserved }
        guard case .telling(let last) = self.phase else { return .served }
        return self.tellPresent(after: last) ? .served : .unserved
    }

    private func tellChanged() {
        while self.connection.hasRoom, self.connection.unitsLeft > 0, let channel = self.turns.popFirst() {
            self.connection.unitsLeft -= Work.name
            let revision = self.changed.removeValue(forKey: channel) ?? .none
            let record = self.directory.knownRecord(channel)
            let gone = ChannelRecord(name: channel, mode: .shared, revision: revision, changedAt: 0)
            self.tell(record ?? gone, deleted: record == nil)
        }
    }

    /// Goes on sending the present channels; returns whether all are sent.
    private func tellPresent(after last: ChannelName?) -> Bool {
        var reached = last
        var isThrough = true
        self.directory.forEach(in: self.pattern.pattern, after: last) { name in
            guard self.connection.hasRoom, self.connection.unitsLeft > 0 else {
                isThrough = false
                return false
            }
            self.connection.unitsLeft -= Work.name + Work.match(name, self.pattern.pattern)
            reached = name
            if self.pattern.pattern.matches(name), let record = self.directory.knownRecord(name) {
                self.tell(record, deleted: false)
            }
            return true
        }
        self.phase = isThrough ? .synced : .telling(through: reached)
        if isThrough { self.connection.outgoing.append(.synced(self.pattern.id)) }
        return isThrough
    }

    private func tell(_ record: ChannelRecord, deleted: Bool) {
        self.connection.outgoing.append(.changed(Changed(record, watch: self.pattern.id, deleted: deleted)))
    }
}

import RacAccess
import RacProtocol

/// A pattern with the watches of clients that read alike, and their log of this tick.
///
/// Guarded by the host's isolation.
final class WatchedPattern {
    let id: WatchID
    let pattern: ChannelPattern

    /// The rights that leave names out; nil if the clients may read all names.
    let rights: Rights?

    private(set) var log = WatchLog()
    private(set) var watches: [Watch] = []

    /// The number of watches that keep names instead of taking frames.
    var behindCount = 0

    /// The number of watches that take messages.
    private var messageReaders = 0

    /// Whether the tick lists the pattern.
    var isTouched = false

    private let long: LongChange

    init(id: WatchID, pattern: ChannelPattern, rights: Rights? = nil, long: LongChange) {
        self.rights = rights
        self.id = id
        self.pattern = pattern
        self.long = long
    }

    /// Whether the clients may read a name.
    func shows(_ name: ChannelName) -> Bool { self.rights?.allows(.read, name) ?? true }

    func add(_ watch: Watch) {
        self.watches.add(watch)
        if watch.connection.outgoing.takesMessages { self.messageReaders += 1 }
    }

    func remove(_ watch: Watch) {
        self.watches.remove(watch)
        if watch.connection.outgoing.takesMessages { self.messageReaders -= 1 }
    }

    /// Takes a change as a message, if there are watches that take no frames.
    func tellMessage(of record: ChannelRecord, deleted: Bool) {
        guard self.messageReaders > 0 else { return }
        self.log.messages.append(.changed(Changed(record, watch: self.id, deleted: deleted)))
    }

    /// Takes a change that no other pattern matches.
    func tell(_ change: WatchLog.Change, _ record: ChannelRecord) {
        // A deletion has neither value nor error, however long the last ones were.
        guard change.isDeletion || !record.isLong else { return self.log.append(change, long: record) }
        let changed = Changed(record, watch: self.id, deleted: change.isDeletion)
        self.log.append(change) { $0.append(.changed(changed)) }
    }

    /// Takes a change that was encoded for several patterns.
    func tell(_ change: WatchLog.Change, _ encoded: EncodedChange) {
        self.log.append(change) { $0.append(encoded, of: self.id) }
    }

    /// Takes a change with a long value, which is encoded for the first watch with room.
    func tell(_ change: WatchLog.Change, long record: ChannelRecord) {
        self.log.append(change, long: record)
    }

    /// The frames of a piece of the log; nil if no units are left to encode its long value.
    func frames(ofPiece place: Int, _ units: inout Int) -> FrameBytes? {
        switch self.log.pieces[place].piece {
        case .frames(let frames): return frames
        case .long(let record):
            guard units > 0 else { return nil }
            let frame = self.long.frame(of: record, self.id)
            units -= Work.bytes(frame.count)
            self.log.encode(place, as: frame)
            return frame
        }
    }

    /// Appends a channel's state.
    func write(_ record: ChannelRecord, deleted: Bool, to outgoing: inout Outgoing) {
        if record.isLong, !deleted, !outgoing.takesMessages {
            outgoing.append(self.long.frame(of: record, self.id))
        } else {
            outgoing.append(.changed(Changed(record, watch: self.id, deleted: deleted)))
        }
    }

    func endTick() {
        self.log.endTick()
    }
}

extension ChannelRecord {
    /// From here on a value is encoded only for watches with room, and not copied into logs.
    private static let longBytes = 4 << 10

    /// Whether the values, or the error, are long ones.
    var isLong: Bool { self.valueBytes > Self.longBytes }
}

extension Changed {
    init(_ record: ChannelRecord, watch: WatchID, deleted: Bool = false) {
        self.init(
            watch: watch,
            channel: record.name,
            revision: record.revision,
            state: deleted ? nil : record.state,
            value: deleted ? nil : record.value?.value,
            wish: deleted ? nil : record.wish?.value,
            wishRevision: deleted ? nil : record.wish?.revision,
            by: record.author?.name
        )
    }
}

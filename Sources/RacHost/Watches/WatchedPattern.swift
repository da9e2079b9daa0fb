import RacProtocol

/// A pattern with its watches and their log of this tick.
///
/// Guarded by the host's isolation.
final class WatchedPattern: Placed {
    let id: WatchID
    let pattern: ChannelPattern
    var log = TickLog()

    /// The pattern's place among the watched patterns.
    var place = 0

    /// The channels with changes in this tick's log.
    private(set) var changed: [(channel: ChannelName, revision: Revision)] = []
    private(set) var watches: [Watch] = []

    /// Whether the tick lists the pattern.
    var isTouched = false

    init(id: WatchID, pattern: ChannelPattern) {
        self.id = id
        self.pattern = pattern
    }

    func add(_ watch: Watch) {
        self.watches.add(watch)
    }

    func remove(_ watch: Watch) {
        self.watches.remove(watch)
    }

    func tell(_ record: ChannelRecord, deleted: Bool) {
        self.changed.append((record.name, record.revision))
        self.log.append(.changed(Changed(record, watch: self.id, deleted: deleted)))
    }

    func endTick() {
        self.log.endTick()
        self.changed.removeAll(keepingCapacity: true)
    }
}

extension Changed {
    init(_ record: ChannelRecord, watch: WatchID, deleted: Bool = false) {
        self.init(
            watch: watch,
            channel: record.name,
            revision: record.revision,
            state: deleted ? nil : record.state,
            value: deleted ? nil : record.value?.value
        )
    }
}

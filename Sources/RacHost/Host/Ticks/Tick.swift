import RacAccess
import RacProtocol

/// The objects that this tick touched: each is listed once, and `endTick` or the shell takes it from here.
struct Tick {
    /// The sides whose logs hold values for their bindings.
    private(set) var sides: [Side] = []

    private var touchedUnits = 0

    /// The patterns whose logs hold changes for their watches.
    private(set) var patterns: [WatchedPattern] = []

    /// The bindings whose ledgers may hold an acknowledgement to send.
    private(set) var acking: [Binding] = []

    /// The channels that changed and that the store has yet to get.
    private(set) var changed: [HostedChannel] = []

    /// The connections that may have output.
    private(set) var listed: [HostedConnection] = []

    /// The connections that the host ends.
    private(set) var evicted: [(id: ConnectionID, code: String?)] = []

    /// The limits that connections reached, for the log: not more of them than a tick can log at little cost.
    private(set) var reachedLimits: [(ConnectionID, WireError)] = []

    /// The refusals for want of permission, for the log.
    private var refusedActs = RefusedActLog()

    /// The lost clients of which wills were applied, for the log.
    private(set) var appliedWills: [(ConnectionID, AppliedWills)] = []

    /// The connections that are read at other rates from now on.
    private(set) var rates: [(ConnectionID, ReadRate)] = []

    /// Whether nothing is left to do.
    var isEmpty: Bool {
        self.listed.isEmpty && self.sides.isEmpty && self.patterns.isEmpty && self.acking.isEmpty
            && self.changed.isEmpty && self.evicted.isEmpty
    }

    /// Lists a side, which costs these units; returns whether it was not listed before.
    mutating func touch(_ side: Side, _ units: Int) -> Bool {
        guard !side.isTouched else { return false }
        side.isTouched = true
        self.sides.append(side)
        self.touchedUnits += units
        return true
    }

    /// The units that messages of this turn have paid for sides.
    mutating func takeTouchedUnits() -> Int {
        defer { self.touchedUnits = 0 }
        return self.touchedUnits
    }

    /// Whether the sides from a place on may keep their values for another turn: there are not too many bytes of them.
    func mayKeepSides(from place: Int, bytes: Int) -> Bool {
        self.sides[place...].reduce(0) { $0 + $1.log.byteCount } <= bytes
    }

    /// Lists a pattern; returns whether it was not listed before.
    mutating func touch(_ pattern: WatchedPattern) -> Bool {
        guard !pattern.isTouched else { return false }
        pattern.isTouched = true
        self.patterns.append(pattern)
        return true
    }

    mutating func acknowledge(_ binding: Binding) {
        guard !binding.isOnAckList else { return }
        binding.isOnAckList = true
        self.acking.append(binding)
    }

    /// Lists a change for the store; returns whether it is the channel's first one since the last batch.
    mutating func store(_ channel: HostedChannel) -> Bool {
        guard !channel.isToBeStored else { return false }
        channel.isToBeStored = true
        self.changed.append(channel)
        return true
    }

    mutating func list(_ connection: HostedConnection) {
        guard !connection.isListed, connection.phase != .gone else { return }
        connection.isListed = true
        self.listed.append(connection)
    }

    mutating func reachedLimit(_ connection: HostedConnection, _ error: WireError) {
        guard self.reachedLimits.count < 16 else { return }
        self.reachedLimits.append((connection.id, error))
    }

    mutating func refused(_ act: RefusedAct, _ connection: HostedConnection) {
        self.refusedActs.note(act, of: connection.id)
    }

    mutating func applied(_ wills: Int, of connection: HostedConnection) {
        self.appliedWills.append((connection.id, AppliedWills(count: wills, client: connection.client)))
    }

    mutating func reads(_ connection: HostedConnection, at rate: ReadRate) {
        self.rates.append((connection.id, rate))
    }

    mutating func evict(_ connection: HostedConnection, _ code: String?) {
        self.evicted.append((connection.id, code))
        self.list(connection)
    }
}

// The caller resets the marks of the objects, because it works on each of them while the list still holds it.
extension Tick {
    /// Removes the first sides; mostly these are all.
    mutating func removeSides(_ count: Int) {
        if count == self.sides.count {
            self.sides.removeAll(keepingCapacity: true)
        } else {
            self.sides.removeFirst(count)
        }
    }

    mutating func removePatterns() { self.patterns.removeAll(keepingCapacity: true) }
    mutating func keepAcking(_ index: Int, at place: Int) { self.acking.swapAt(index, place) }
    mutating func removeAcking(from place: Int) { self.acking.removeLast(self.acking.count - place) }
    mutating func removeChanged() { self.changed.removeAll(keepingCapacity: true) }

    mutating func takeListed() -> [HostedConnection] {
        let listed = self.listed
        self.listed = []
        listed.forEachUncounted { $0.isListed = false }
        return listed
    }

    mutating func takeReachedLimits() -> [(ConnectionID, WireError)] {
        defer { self.reachedLimits = [] }
        return self.reachedLimits
    }

    mutating func takeRefusedActs() -> [RefusedActs] { self.refusedActs.take() }

    mutating func takeAppliedWills() -> [(ConnectionID, AppliedWills)] {
        defer { self.appliedWills = [] }
        return self.appliedWills
    }

    mutating func takeRates() -> [(ConnectionID, ReadRate)] {
        defer { self.rates = [] }
        return self.rates
    }

    mutating func takeEvicted() -> [(id: ConnectionID, code: String?)] {
        defer { self.evicted = [] }
        return self.evicted
    }
}

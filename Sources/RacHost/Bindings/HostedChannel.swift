import RacProtocol

/// A channel with its sides and their bindings.
///
/// Guarded by the host's isolation.
final class HostedChannel {
    /// The number from which its terminals are numbered: twice the number, and one more.
    let number: ChannelNumber
    var machine: ChannelStateMachine

    /// The revision of its first change, or that with which it was stored; clients do not know of it before.
    var firstRevision: Revision

    /// The number of the newest change that was matched with the watched patterns.
    var match: MatchNumber = 0

    /// Whether a change has yet to be matched.
    var awaitsMatch = false

    /// The number of changes since the start.
    var changeCount: UInt64 = 0

    /// Whether the tick lists the channel for the store.
    var isToBeStored = false

    /// Whether the store has the channel.
    private var isStored: Bool

    /// Whether the directory no longer has the channel.
    var isRemoved = false

    var name: ChannelName { self.machine.record.name }

    /// Whether the channel is the daemon's own: clients do not write it, and the store does not keep it.
    let isSystem: Bool

    private var leading: Side?
    private var following: Side?

    init(_ channel: StoredChannel, isStored: Bool) {
        self.number = channel.number
        self.isSystem = channel.record.name.isReserved
        self.machine = ChannelStateMachine(channel.record)
        self.firstRevision = channel.record.revision
        self.isStored = isStored
    }

    /// The channel and the side of a terminal.
    static func place(of terminal: TerminalID) -> (number: ChannelNumber, role: Role) {
        (ChannelNumber(terminal.number / 2), terminal.number.isMultiple(of: 2) ? .leading : .following)
    }

    /// The side, if a connection was ever bound to it.
    func existingSide(_ role: Role) -> Side? {
        switch role {
        case .leading: self.leading
        case .following: self.following
        }
    }

    func side(_ role: Role) -> Side {
        if let side = self.existingSide(role) { return side }
        let side = Side(role: role, of: self.number)
        switch role {
        case .leading: self.leading = side
        case .following: self.following = side
        }
        return side
    }

    /// The change to store; nil if the channel came and went since the last batch.
    func takeChange() -> StoreChange? {
        defer { self.isStored = !self.isRemoved }
        guard self.isRemoved else { return .put(StoredChannel(number: self.number, record: self.machine.record)) }
        return self.isStored ? .remove(self.number) : nil
    }

    var bindingCount: Int {
        (self.leading?.bindings.count ?? 0) + (self.following?.bindings.count ?? 0)
    }

    /// The number of bindings with frames that wait for room in their connections.
    var slowCount: Int {
        (self.leading?.bindings.count(where: \.lags) ?? 0) + (self.following?.bindings.count(where: \.lags) ?? 0)
    }
}

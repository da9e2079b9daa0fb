import RacProtocol

/// A channel with those who are bound to it.
///
/// Guarded by the host's isolation.
final class HostedChannel {
    /// Twice it, and one more, are the numbers of the terminals.
    let number: ChannelNumber
    var machine: ChannelStateMachine

    /// The places of the watched patterns that match, as of a version of the table of patterns.
    var watched: [Int] = []
    var watchedVersion: UInt64 = 0

    /// How many changes there have been since the start.
    var changeCount: UInt64 = 0

    /// Whether the store gets the record when this tick ends.
    var isToBeStored = false

    /// Whether the store has been given it.
    private var isStored: Bool

    /// Whether the directory has it no more.
    var isRemoved = false

    var name: ChannelName { self.machine.record.name }

    /// Whether it is one of the daemon's own, which are neither written by clients nor stored.
    let isSystem: Bool

    private var leading: Side?
    private var following: Side?

    init(_ channel: StoredChannel, isStored: Bool) {
        self.number = channel.number
        self.isSystem = channel.record.name.isReserved
        self.machine = ChannelStateMachine(channel.record)
        self.isStored = isStored
    }

    /// Which channel and side a terminal's number stands for.
    static func place(of terminal: TerminalID) -> (number: ChannelNumber, role: Role) {
        (ChannelNumber(terminal.number / 2), terminal.number.isMultiple(of: 2) ? .leading : .following)
    }

    /// The side, if anybody was ever bound to it.
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

    /// What the store has to do about it; nil if it came and went since the store was last told.
    func takeChange() -> StoreChange? {
        defer { self.isStored = !self.isRemoved }
        guard self.isRemoved else { return .put(StoredChannel(number: self.number, record: self.machine.record)) }
        return self.isStored ? .remove(self.number) : nil
    }

    var bindingCount: Int {
        (self.leading?.bindings.count ?? 0) + (self.following?.bindings.count ?? 0)
    }

    /// How many bindings have something that their clients have not made room for.
    var slowCount: Int {
        (self.leading?.bindings.count(where: \.lags) ?? 0) + (self.following?.bindings.count(where: \.lags) ?? 0)
    }
}

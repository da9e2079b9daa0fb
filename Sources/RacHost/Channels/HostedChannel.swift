import RacProtocol

/// A channel with those who are bound to it.
///
/// Guarded by the host's isolation.
final class HostedChannel {
    /// Twice it, and one more, are the numbers of the terminals.
    let number: ChannelNumber
    var machine: ChannelStateMachine

    /// The patterns that are watched and match, as of a version of the host's patterns.
    var watched: [WatchedPattern] = []
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

/// One terminal of a channel: who is bound to it and what they get.
///
/// Guarded by the host's isolation.
final class Side {
    let terminal: TerminalID
    let role: Role
    var log = TickLog()
    private(set) var bindings: [Binding] = []

    /// Whether this tick has something for its bindings.
    var isTouched = false

    private var encodedNewest: FrameBytes?

    init(role: Role, of channel: ChannelNumber) {
        self.terminal = TerminalID(channel.number * 2 + (role == .following ? 1 : 0))
        self.role = role
    }

    func add(_ binding: Binding) {
        binding.place = self.bindings.count
        self.bindings.append(binding)
    }

    func remove(_ binding: Binding) {
        let last = self.bindings.removeLast()
        if self.bindings.isEmpty { self.encodedNewest = nil }
        guard last !== binding else { return }
        self.bindings[binding.place] = last
        last.place = binding.place
    }

    func removeAllBindings() -> [Binding] {
        defer {
            self.bindings = []
            self.encodedNewest = nil
        }
        return self.bindings
    }

    /// Everyone bound here gets this value, but for its sender.
    func show(_ valuation: Valuation, from sender: Binding?) {
        if self.beginShowing(from: sender) { self.log.append(valuation, of: self.terminal) }
        self.endShowing(from: sender)
    }

    /// Values of a sender are about to be put into the log; whether there is anybody to read them.
    func beginShowing(from sender: Binding?) -> Bool {
        self.encodedNewest = nil
        guard let sender, sender.side === self else { return !self.bindings.isEmpty }
        sender.collect()
        return self.bindings.count > 1
    }

    /// The same for one of several values, which are JSON, where it stands: in between `beginShowing` and `endShowing`.
    func show(_ value: Span<UInt8>, as revision: Revision) {
        self.log.append(value, as: revision, of: self.terminal)
    }

    /// The sender does not get what was put into the log since.
    func endShowing(from sender: Binding?) {
        if let sender, sender.side === self { sender.passOver() }
    }

    /// The frame that brings whoever fell behind up to date.
    func newest(of channel: HostedChannel) -> FrameBytes? {
        if let encodedNewest { return encodedNewest }
        guard let shown = channel.machine.shown(to: self.role) else { return nil }
        var frame = FrameBytes()
        frame.append(shown, of: self.terminal)
        self.encodedNewest = frame
        return frame
    }
}

import RacProtocol

/// One terminal of a channel, with its bindings and their log of this tick.
///
/// Guarded by the host's isolation.
final class Side {
    let terminal: TerminalID
    let role: Role
    private(set) var log = TickLog()
    /// The values of `log` as messages; nil as long as no binding has taken messages.
    private(set) var messageLog: MessageLog?
    private(set) var bindings: [Binding] = []

    /// Whether the tick lists the side.
    var isTouched = false

    /// The binding with a will that sent last among those with a will.
    private(set) var willing: Binding?

    private var sharedNewest: OutgoingMessage?

    init(role: Role, of channel: ChannelNumber) {
        self.terminal = TerminalID(channel.number * 2 + (role == .following ? 1 : 0))
        self.role = role
    }

    func add(_ binding: Binding) {
        self.bindings.add(binding)
        guard binding.connection.outgoing.takesMessages else { return }
        let log = self.messageLog ?? MessageLog()
        log.readers += 1
        self.messageLog = log
    }

    func remove(_ binding: Binding) {
        self.bindings.remove(binding)
        if binding.connection.outgoing.takesMessages { self.messageLog?.readers -= 1 }
        if self.willing === binding { self.willing = nil }
        if self.bindings.isEmpty { self.sharedNewest = nil }
    }

    func removeAllBindings() -> [Binding] {
        defer {
            self.bindings = []
            self.messageLog?.readers = 0
            self.willing = nil
            self.sharedNewest = nil
        }
        return self.bindings
    }

    /// A binding sent the channel's newest value.
    func sent(as revision: Revision, by binding: Binding) {
        guard binding.will != nil else { return }
        binding.newestSent = revision
        self.willing = binding
    }

    /// Puts a value into the log, for all bindings but the sender's.
    func show(_ valuation: Valuation, from sender: Binding?) {
        if self.beginShowing(from: sender) {
            self.log.append(valuation, of: self.terminal)
            self.messageLog?.append(valuation, of: self.terminal)
        }
        self.endShowing(from: sender)
    }

    /// Begins to put a sender's values into the log; returns whether a binding reads them.
    func beginShowing(from sender: Binding?) -> Bool {
        self.sharedNewest = nil
        guard let sender, sender.side === self else { return !self.bindings.isEmpty }
        sender.collect()
        return self.bindings.count > 1
    }

    /// Puts one of several values into the log from where its JSON stands, between `beginShowing` and `endShowing`.
    func show(_ value: Span<UInt8>, as revision: Revision) {
        self.log.append(value, as: revision, of: self.terminal)
        self.messageLog?.append(value, as: revision, of: self.terminal)
    }

    /// More values come whose sends have about this many bytes.
    func expectValues(ofBytes bytes: Int) {
        self.log.reserve(bytes)
    }

    /// Ends a sender's values: the sender's own binding skips them.
    func endShowing(from sender: Binding?) {
        if let sender, sender.side === self { sender.passOver() }
    }

    /// The place behind the newest value, in the log of messages or in that of frames.
    func end(asMessages: Bool) -> UInt64 { asMessages ? self.messageLog?.end ?? 0 : self.log.end }

    /// All bindings have what is new.
    func endTick() {
        self.log.endTick()
        self.messageLog?.endTick()
    }

    /// The newest value, for the bindings that fell behind.
    func newest(of channel: HostedChannel) -> OutgoingMessage? {
        if let sharedNewest { return sharedNewest }
        guard let shown = channel.machine.shown(to: self.role) else { return nil }
        let newest = OutgoingMessage(.next(self.terminal, shown.detached))
        self.sharedNewest = newest
        return newest
    }
}

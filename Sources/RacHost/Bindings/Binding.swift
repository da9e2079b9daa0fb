import RacProtocol

/// One connection's hold on one terminal.
///
/// Guarded by the host's isolation.
final class Binding: QueueingSubscriber {
    let channel: HostedChannel
    let side: Side
    let will: Will?
    let delivery: Who.Delivery

    /// Its place among the side's bindings.
    var place = 0

    var acks = AckLedger()
    var isOnAckList = false

    /// The newest send that was applied.
    var lastApplied: SendNumber

    /// Whether more queued than may: the host ends it with this tick.
    private(set) var isSlow = false

    /// Whether it ended because it was too slow.
    private(set) var hasEndedSlow = false

    /// Where in the side's log stands what it has not been given.
    private var position: UInt64

    /// Whether it was not given the newest value.
    private var isBehind = false

    /// When a paced binding may get its next value.
    private var nextDue: UInt64 = 0

    /// Whether a deadline will wake it at that time.
    private(set) var isPaused = false

    init(connection: HostedConnection, channel: HostedChannel, side: Side, delivery: Who.Delivery, will: Will?) {
        self.channel = channel
        self.side = side
        self.delivery = delivery
        self.will = will
        self.lastApplied = connection.session.lastApplied(side.terminal)
        self.position = side.log.end
        super.init(connection: connection)
    }

    var terminal: TerminalID { self.side.terminal }

    /// Whether it is a hold on what this asks for.
    func isOf(_ bind: Bind) -> Bool { self.channel.name == bind.channel && self.side.role == bind.role }

    /// Whether there is something for it that its client has not made room for.
    var lags: Bool { self.backlog.count > 0 || (self.isBehind && !self.isPaused) }

    /// Whether it has something to say that cannot be said yet, its end or acknowledgements.
    var hasLeftovers: Bool { self.backlog.count > 0 || !self.acks.isSettled }

    /// Says what waits, the acknowledgement last: a client holds back what comes while its sends are open.
    override func serve(at time: Time) -> OnServed {
        self.drain()
        if self.isDue(at: time), let newest = self.takeNewest() { self.connection.outgoing.append(newest) }
        self.sayAck()
        if self.isOver { self.settle() }
        guard self.isBehind, !self.isPaused else { return .served }
        self.isPaused = true
        return .waits(self.nextDue)
    }

    override func wake() {
        self.isPaused = false
        super.wake()
    }
}

// MARK: Values

extension Binding {
    /// Takes what the side's log has for it; tells whether there was anything.
    @discardableResult
    func collect() -> Bool { self.collect(from: self.side.log) }

    /// The same for who has the log at hand.
    func collect(from log: TickLog) -> Bool {
        guard !self.isSlow, let frames = log.frames(from: self.position) else { return false }
        self.position = log.end
        switch self.delivery {
        case .newest where self.connection.hasRoom && !self.isBehind: self.connection.outgoing.append(frames)
        case .every where self.isThrough: self.connection.outgoing.append(frames)
        case .every: self.queue(frames)
        case .newest, .paced: self.fallBehind()
        }
        return true
    }

    /// Leaves out what it sent itself, and with it what it fell behind with: that is older.
    func passOver() {
        self.position = self.side.log.end
        self.isBehind = false
    }

    private func fallBehind() {
        self.isBehind = true
        if !self.isPaused { self.connection.lag(self) }
    }

    private func queue(_ frames: FrameBytes) {
        guard self.hasPlace(for: frames.count) else {
            self.isSlow = true
            return
        }
        self.keep(frames)
    }

    /// The newest value, if it was not given that.
    private func takeNewest() -> FrameBytes? {
        guard self.isBehind else { return nil }
        self.isBehind = false
        return self.side.newest(of: self.channel)
    }
}

// MARK: Turns

extension Binding {
    private func isDue(at time: Time) -> Bool {
        guard self.isBehind, case .paced(let interval) = self.delivery else { return true }
        guard time.uptime >= self.nextDue else { return false }
        self.nextDue = time.uptime + interval
        return true
    }

    func sayAck() {
        guard let ack = self.acks.take() else { return }
        self.connection.outgoing.append { $0.append(ackOf: ack.number, of: self.terminal, as: ack.revision) }
    }

    /// Says what became of a send, behind the values that came before.
    func say(_ message: ServerMessage) {
        if !self.isOver { self.collect() }
        guard self.backlog.count > 0 else { return self.connection.outgoing.append(message) }
        // An answer is never left out, but one that has no place is the last straw.
        let frame = FrameBytes(message)
        if !self.isOver, !self.hasPlace(for: frame.count) { self.isSlow = true }
        self.keep(frame)
    }
}

// MARK: The end

extension Binding {
    /// The last it hears: the values that it has not been given yet, its acknowledgements and the end.
    func finish(with end: FrameBytes) {
        self.collect()
        if let newest = self.takeNewest() { self.give(newest) }
        if let ack = self.acks.take() { self.give(ack.frame(for: self.terminal)) }
        // Who could not be given a value must not take the end for that of all values.
        self.hasEndedSlow = self.isSlow
        self.give(self.isSlow ? self.slowEnd : end)
        self.depart()
    }

    /// The end of this binding alone, because more waited for it than may.
    var slowEnd: FrameBytes {
        let limits = self.connection.limits
        let what =
            "more than \(limits.queuedBytesPerBinding) bytes waited for this binding, "
            + "or \(limits.queuedBytesPerConnection) for all of this connection"
        return FrameBytes(.ended(self.terminal, .failed(WireError(.slowConsumer, what)), nil))
    }

    /// It hears no more, by the client's wish.
    func leave() {
        self.collect()
        self.drain()
        self.sayAck()
        self.depart()
    }

    private func depart() {
        self.isBehind = false
        if self.hasLeftovers { self.connection.departing[self.terminal] = self }
    }

    /// The connection forgets it when it has said all.
    func settle() {
        guard !self.hasLeftovers, self.connection.departing[self.terminal] === self else { return }
        self.connection.departing[self.terminal] = nil
    }

    /// Goes on where an earlier binding of the terminal ended.
    func takeOver(_ earlier: Binding) {
        swap(&self.acks, &earlier.acks)
        earlier.settle()
    }
}

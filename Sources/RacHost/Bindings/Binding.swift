import RacProtocol

/// One connection's hold on one terminal.
///
/// Guarded by the host's isolation.
final class Binding: QueueingSubscriber {
    let channel: HostedChannel
    let side: Side
    let will: Will?
    private var reader: SlowReaderStateMachine

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

    init(connection: HostedConnection, channel: HostedChannel, side: Side, delivery: Who.Delivery, will: Will?) {
        self.channel = channel
        self.side = side
        self.reader = SlowReaderStateMachine(delivery)
        self.will = will
        self.lastApplied = connection.session.lastApplied(side.terminal)
        self.position = side.log.end
        super.init(connection: connection)
    }

    var terminal: TerminalID { self.side.terminal }

    var delivery: Who.Delivery { self.reader.delivery }

    /// Whether a deadline will wake it.
    var isPaused: Bool { self.reader.isPaused }

    /// Whether it is a hold on what this asks for.
    func isOf(_ bind: Bind) -> Bool { self.channel.name == bind.channel && self.side.role == bind.role }

    /// Whether there is something for it that its client has not made room for.
    var lags: Bool { self.backlog.count > 0 || self.reader.waitsForRoom }

    /// Whether it has something to say that cannot be said yet, its end or acknowledgements.
    var hasLeftovers: Bool { self.backlog.count > 0 || !self.acks.isSettled }

    /// Says what waits, the acknowledgement last: a client holds back what comes while its sends are open.
    override func serve(at time: Time) -> OnServed {
        self.drain()
        if self.reader.takesNewest(at: time), let newest = self.newest { self.connection.outgoing.append(newest) }
        self.sayAck()
        if self.isOver { self.settle() }
        return self.reader.pause().map { .waits($0) } ?? .served
    }

    override func wake() {
        self.reader.wake()
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
        let hasRoom = self.connection.hasRoom
        switch self.reader.values(hasRoom: hasRoom, isThrough: hasRoom && self.backlog.isEmpty) {
        case .give: self.connection.outgoing.append(frames)
        case .queue: self.queue(frames)
        case .skip: if !self.isPaused { self.connection.lag(self) }
        }
        return true
    }

    /// Leaves out what it sent itself, and with it what it fell behind with: that is older.
    func passOver() {
        self.position = self.side.log.end
        self.reader.passOver()
    }

    private func queue(_ frames: FrameBytes) {
        guard self.hasPlace(for: frames.count) else {
            self.isSlow = true
            return
        }
        self.keep(frames)
    }

    private var newest: FrameBytes? { self.side.newest(of: self.channel) }
}

// MARK: Turns

extension Binding {
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
        if self.reader.takesNewest(), let newest = self.newest { self.give(newest) }
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
        self.reader.passOver()
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

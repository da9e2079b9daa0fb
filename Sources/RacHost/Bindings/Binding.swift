import RacProtocol

/// One connection's binding to one terminal.
///
/// Guarded by the host's isolation.
final class Binding: QueueingSubscriber, Placed {
    let channel: HostedChannel
    let side: Side
    private(set) var will: Kept<Will>?
    private var reader: SlowReaderStateMachine

    /// Whether the client's values may go into the channel.
    var maySend: Bool

    /// The binding's place among the side's bindings.
    var place = 0

    var acks = AckLedger()
    var isOnAckList = false

    /// Whether the queue has the answer to a send.
    private var queuesAnswer = false

    /// The newest applied send.
    var lastApplied: SendNumber

    /// The newest value that came through the binding; noted only with a will.
    var newestSent = Revision.never

    /// The refused sends, for a client that sends them again after a lost connection; mostly nil.
    private(set) var refused: RefusedSends?

    /// Whether more bytes queued than may: the host ends the binding with this tick.
    private(set) var isSlow = false

    /// Whether the binding ended with `slow-consumer`.
    private var hasEndedSlow = false

    /// Whether the binding ended with `slow-consumer`, and its client was not given that end yet.
    var waitsForSlowEnd: Bool { self.hasEndedSlow && self.backlog.count > 0 }

    /// The place in the side's log behind the last value that the binding was given.
    private var position: UInt64

    init(
        connection: HostedConnection,
        channel: HostedChannel,
        side: Side,
        delivery: Who.Delivery,
        will: Kept<Will>?,
        maySend: Bool
    ) {
        self.maySend = maySend
        self.channel = channel
        self.side = side
        self.reader = SlowReaderStateMachine(delivery)
        self.will = will
        self.lastApplied = connection.session.lastApplied(side.terminal)
        self.refused = connection.session.refusedSends(side.terminal)
        self.position = side.end(asMessages: connection.outgoing.takesMessages)
        super.init(connection: connection)
    }

    var terminal: TerminalID { self.side.terminal }

    var delivery: Who.Delivery { self.reader.delivery }

    /// Whether a deadline wakes the binding.
    var isPaused: Bool { self.reader.isPaused }

    /// Remembers a refused send if a session may ask for it again.
    func remember(refused number: SendNumber, _ code: String, _ limits: Limits, _ account: RefusalAccount) {
        guard self.connection.session.name != nil, number > self.lastApplied else { return }
        let refused = self.refused ?? RefusedSends(limit: limits.refusalsPerTerminal, account: account)
        self.refused = refused
        refused.refused(number, code, on: self.connection.id)
    }

    /// Whether frames wait for room in the connection.
    var lags: Bool { self.backlog.count > 0 || self.reader.waitsForRoom }

    /// Whether frames or acknowledgements are left to send after the end.
    var hasLeftovers: Bool { self.backlog.count > 0 || !self.acks.isSettled }

    /// Sends the waiting frames, the acknowledgement last: a client holds values back while its sends are open.
    override func serve(at time: Time) -> OnServed {
        self.catchUp()
        self.drain()
        self.queuesAnswer = false
        if self.reader.takesNewest(at: time), let newest = self.newest {
            newest.append(to: &self.connection.outgoing)
        }
        self.sayAck()
        if self.isOver { self.settle() }
        return self.reader.pause().map { .waits($0) } ?? .served
    }

    override var owesAnswer: Bool { !self.acks.isSettled || self.queuesAnswer }

    override func wake() {
        self.reader.wake()
        super.wake()
    }
}

// MARK: Values

extension Binding {
    /// Takes the values of the side's log; returns whether there were any.
    @discardableResult
    func collect() -> Bool { self.collect(from: self.side.log) }

    /// Takes the values of a side that waits for another turn: they come before an acknowledgement.
    func catchUp() {
        if self.side.isTouched, !self.isOver { self.collect() }
    }

    /// Takes the values of the side's log, which the caller has at hand.
    func collect(from log: TickLog) -> Bool {
        if self.connection.outgoing.takesMessages, let log = self.side.messageLog {
            return self.take(log.messages(from: self.position), through: log.end)
        }
        return self.take(log.frames(from: self.position), through: log.end)
    }

    private func take(_ values: (some OutgoingPart)?, through end: UInt64) -> Bool {
        guard !self.isSlow, let values else { return false }
        self.position = end
        let hasRoom = self.connection.hasRoom
        switch self.reader.values(hasRoom: hasRoom, isThrough: hasRoom && self.backlog.isEmpty) {
        case .give: values.append(to: &self.connection.outgoing)
        case .queue: self.queue(values)
        case .skip: if !self.isPaused { self.connection.lag(self) }
        }
        return true
    }

    /// Skips the values that the binding sent itself, and skipped values of others, which are older than its own.
    func passOver() {
        self.position = self.side.end(asMessages: self.connection.outgoing.takesMessages)
        self.reader.passOver()
    }

    private func queue(_ values: some OutgoingPart) {
        guard self.connection.phase != .gone else { return }
        guard self.hasPlace(for: values) else {
            self.isSlow = true
            return
        }
        self.keep(values)
    }

    private var newest: OutgoingMessage? { self.side.newest(of: self.channel) }
}

// MARK: Turns

extension Binding {
    func sayAck() {
        guard let ack = self.acks.take(), !self.connection.isTurnedAway else { return }
        self.connection.outgoing.append(ackOf: ack.number, of: self.terminal, as: ack.revision)
    }

    /// Sends the outcome of a send, behind the values that came before it.
    func say(_ message: ServerMessage) {
        guard !self.connection.isTurnedAway else { return }
        if !self.isOver { self.collect() }
        guard self.backlog.count > 0 else { return self.connection.outgoing.append(message) }
        // An answer is never dropped, but one that does not fit makes the binding too slow.
        let answer = OutgoingMessage(message)
        if !self.isOver, !self.hasPlace(for: answer) { self.isSlow = true }
        self.keep(answer)
        self.queuesAnswer = true
    }
}

// MARK: The end

extension Binding {
    /// Sends the last output: the remaining values, the acknowledgements, and the end.
    func finish(with end: OutgoingMessage) {
        self.collect()
        if self.reader.takesNewest(), let newest = self.newest {
            if self.isThrough || self.hasPlace(for: newest) { self.give(newest) } else { self.isSlow = true }
        }
        if let ack = self.acks.take() {
            self.give(OutgoingMessage(.ack(self.terminal, ack.number, ack.revision)))
            self.queuesAnswer = self.backlog.count > 0
        }
        // A binding that dropped a value ends with `slow-consumer`: its client does not mistake the end for a complete
        // stream.
        self.hasEndedSlow = self.isSlow
        if self.isSlow { self.give(self.slowEnd) } else { self.give(end) { self.slowEnd } }
        self.depart()
    }

    /// The end of this binding alone: more bytes queued for it than may.
    var slowEnd: OutgoingMessage {
        OutgoingMessage(.ended(self.terminal, .failed(self.tooSlow), nil))
    }

    /// The reason for an end of this binding alone.
    var tooSlow: WireError { self.tooSlow("binding") }

    /// The client unbinds: values end here.
    func leave() {
        self.collect()
        self.drain()
        self.sayAck()
        self.depart()
    }

    private func depart() {
        self.reader.passOver()
        if self.hasLeftovers { self.connection.departing.add(self) }
        self.dropWill()
    }

    /// Lets the connection forget the binding when all frames are sent.
    func settle() {
        if !self.hasLeftovers { self.connection.departing.remove(self) }
        self.dropWill()
    }

    /// Drops a will that cannot apply any more, unless the client has yet to learn that it was too slow.
    private func dropWill() {
        if !self.waitsForSlowEnd { self.forgetWill() }
    }

    /// Drops the will: a deadline may keep the binding for long.
    func forgetWill() {
        self.will = nil
    }

    /// Takes the pending outcomes of an earlier binding to the same terminal.
    func takeOver(_ earlier: Binding) {
        swap(&self.acks, &earlier.acks)
        earlier.settle()
    }
}

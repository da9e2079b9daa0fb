import RacProtocol

/// One connection's hold on one terminal. Guarded by the host's isolation.
final class Binding: Subscriber {
    /// What a binding does with values for which there is no room.
    enum Delivery {
        /// It forgets all but the newest.
        case newest
        /// It queues them, so many bytes at most.
        case every(limit: Int)
        /// It gets the newest, once in so many milliseconds.
        case paced(interval: UInt64)
    }

    let side: Side
    let delivery: Delivery
    let will: Will?

    /// Its place among the side's bindings.
    var place = 0

    var acks = AckLedger()
    var isOnAckList = false

    /// The newest send that was applied.
    var lastApplied: SendNumber

    /// Where in the side's log stands what it has not been given.
    private var position: UInt64

    /// Whether it was not given the newest value.
    private var isBehind = false

    /// What queues, and what is left to say after the end.
    private var backlog = Outgoing()

    /// When a paced binding may get its next value.
    private var nextDue: UInt64 = 0

    init(connection: HostedConnection, side: Side, delivery: Delivery, will: Will?) {
        self.side = side
        self.delivery = delivery
        self.will = will
        self.lastApplied = connection.session.lastApplied(side.terminal)
        self.position = side.log.end
        super.init(connection: connection)
    }

    /// Whether more queued than its limit allows: the host ends it with this tick.
    private(set) var isSlow = false

    /// Takes what the side's log has for it.
    func collect() {
        guard let frames = self.side.log.frames(from: self.position) else { return }
        self.position = self.side.log.end
        switch self.delivery {
        case .newest where self.connection.hasRoom && !self.isBehind:
            self.connection.outgoing.append(frames)
        case .every where self.connection.hasRoom && self.backlog.count == 0:
            self.connection.outgoing.append(frames)
        case .every(let limit) where self.backlog.count > 0 && self.backlog.count + frames.count > limit:
            self.isSlow = true
        case .every:
            self.backlog.append(frames)
            self.connection.lag(self)
        case .newest, .paced:
            self.fallBehind()
        }
    }

    private func fallBehind() {
        self.isBehind = true
        self.connection.lag(self)
    }

    /// Leaves out what it sent itself, and in a shared channel with it all that came before.
    func passOver() {
        self.position = self.side.log.end
        if case .every = self.delivery { return }
        self.isBehind = false
    }

    override func serve(at time: Time) -> OnServed {
        if let ack = self.acks.take() { self.say(ack) }
        if self.isBehind, case .paced(let interval) = self.delivery {
            guard time.uptime >= self.nextDue else { return .waits(self.nextDue) }
            self.nextDue = time.uptime + interval
        }
        self.catchUp(into: &self.connection.outgoing)
        return .served
    }

    /// Moves what waits to an outgoing queue.
    private func catchUp(into outgoing: inout Outgoing) {
        for piece in self.backlog.take() { outgoing.append(piece) }
        guard self.isBehind else { return }
        self.isBehind = false
        if let newest = self.side.newest() { outgoing.append(newest) }
    }

    func say(_ ack: AckLedger.Ack) {
        self.connection.outgoing.append(.ack(self.side.terminal, ack.number, ack.revision))
    }

    /// The last it hears: its acknowledgements, what it has not been given yet, and the end.
    func finish(with end: FrameBytes) {
        if let ack = self.acks.take() { self.say(ack) }
        if !self.connection.hasRoom || self.isBehind || self.backlog.count > 0 {
            self.finishLater(with: end)
        } else {
            self.collect()
            self.catchUp(into: &self.connection.outgoing)
            self.connection.outgoing.append(end)
        }
    }

    private func finishLater(with end: FrameBytes) {
        let unseen = self.side.log.frames(from: self.position)
        var queue = Outgoing()
        if case .every = self.delivery {
            self.catchUp(into: &queue)
            if let unseen { queue.append(unseen) }
        } else {
            self.isBehind = self.isBehind || unseen != nil
            self.catchUp(into: &queue)
        }
        queue.append(end)
        self.backlog = queue
        self.connection.lag(self)
    }

    /// Says at once what is left to say of an ended binding, so that the terminal can be bound anew.
    func drain() {
        for piece in self.backlog.take() { self.connection.outgoing.append(piece) }
    }
}

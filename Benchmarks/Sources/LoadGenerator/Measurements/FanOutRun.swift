/// One run of the fan-out: client 0 writes, the others are told.
final class FanOutRun {
    /// What waits for deliveries that do not come gives up after this time without any.
    private static let patience = 5.0
    /// No delivery is as short as this, so that longer frames are counted unseen.
    private static let longestPing = 24

    private(set) var deliveries = 0
    /// Time that went into reading and sending, not into asking in vain.
    private(set) var busySeconds = 0.0
    private(set) var disorder = 0

    private let settings: FanOut
    private let crowd: Crowd
    private let offset: Int
    private var sent = 0
    private var acknowledged = 0
    private var isStopping = false
    private var lastTurn = Moment.now
    private var sequences: [SequenceStateMachine]

    init(_ settings: FanOut, at server: Server) throws {
        self.settings = settings
        self.crowd = try Crowd(of: settings.binders + 1, at: server) { index in
            Crowd.Request(channel: "bench/fan-out", role: index == 0 ? .leading : .following)
        }
        self.offset = self.crowd.clients[0].binding.sends
        self.sequences = Array(repeating: SequenceStateMachine(), count: settings.binders + 1)
    }

    /// How many of the values sent so far have not come to a binder.
    var missing: Int {
        max(0, self.sent * self.settings.binders - self.deliveries)
    }

    /// Sends as many values as the window has room for, in one piece.
    func send() throws {
        var frames: [UInt8] = []
        let writer = self.crowd.clients[0]
        while self.sent - self.acknowledged < self.settings.window {
            self.sent += 1
            let value = NumberedValue(self.sent, byteCount: self.settings.valueBytes)
            ClientMessage.next(terminal: writer.binding.terminal, number: self.offset + self.sent, value: value)
                .append(to: &frames)
        }
        try writer.connection.send(frames)
    }

    /// Keeps the window full and counts for some time.
    func go(seconds: Double) throws {
        let start = Moment.now
        while self.lastTurn.seconds(since: start) < seconds { try self.turn() }
    }

    /// Sends no more and waits until everything has come, or nothing comes any more.
    func drain() throws {
        self.isStopping = true
        var lastProgress = Moment.now
        while self.missing > 0 || self.acknowledged < self.sent, lastProgress.secondsUntilNow < Self.patience {
            let before = self.deliveries
            try self.turn()
            if self.deliveries > before { lastProgress = .now }
        }
    }

    /// Reads what there is.
    private func turn() throws {
        var arrived = 0
        let waiting = self.settings.spins ? Crowd.Waiting.not : .milliseconds(10)
        let any = try self.crowd.receive(waiting: waiting) { index, message in
            if index == 0 {
                try self.writerGot(message)
            } else if message.count > Self.longestPing {
                arrived += 1
                if self.settings.verifies { self.verify(index, message) }
            } else {
                try self.crowd.clients[index].expectPing(message)
            }
        }
        self.deliveries += arrived
        let now = Moment.now
        if any { self.busySeconds += now.seconds(since: self.lastTurn) }
        self.lastTurn = now
    }

    private func writerGot(_ message: Span<UInt8>) throws {
        guard message.field("op", is: "ack"), let number = message.number("n") else {
            return try self.crowd.clients[0].expectPing(message)
        }
        self.acknowledged = number - self.offset
        if !self.isStopping { try self.send() }
    }

    private func verify(_ index: Int, _ message: Span<UInt8>) {
        let number = message.field("op", is: "next") ? message.number("value") : nil
        switch self.sequences[index].arrived(number: number, revision: message.number("rev")) {
        // A gap shows in the number of deliveries that are missing at the end.
        case .good, .gap: break
        case .disorder: self.disorder += 1
        }
    }
}

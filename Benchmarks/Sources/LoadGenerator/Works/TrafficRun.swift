/// One run of traffic: a closed loop in which a writer sends when every reader has what it sent before.
final class TrafficRun {
    /// The wait for deliveries gives up after this time without any.
    private static let patience = 5.0

    private(set) var ledger: Ledger
    /// A reader more, for whom nobody waits; nil if there is none.
    private(set) var bystander: Bystander?
    /// Time that went into reading and sending, not into asking in vain.
    private var busySeconds = 0.0

    private let settings: Traffic
    private let crowd: Crowd
    private var channels: [[Int]]
    private var random = Chance(seed: 1)
    private var isStopping = false
    private var lastTurn = Moment.now
    /// Writers that have got room in this turn.
    private var freed: Set<Int> = []

    /// With a `bystanderBuffer` there is a reader more of channel 0, with so little room at its socket.
    init(_ settings: Traffic, at server: Server, bystanderBuffer: Int32? = nil) throws {
        let topology = settings.topology
        self.settings = settings
        self.ledger = Ledger(topology, window: settings.window)
        self.channels = (0..<topology.writers).map(topology.channels(ofWriter:))
        let count = topology.writers + topology.readers
        self.bystander = bystanderBuffer.map { _ in Bystander(client: count) }
        self.crowd = try Crowd(of: count + (bystanderBuffer == nil ? 0 : 1), at: server) { index in
            if index < topology.writers { return Crowd.Wish(writes: topology.channels(ofWriter: index)) }
            if index < count { return Crowd.Wish(reads: topology.channels(ofReader: index - topology.writers)) }
            return Crowd.Wish(reads: [0], receiveBufferBytes: bystanderBuffer)
        }
        for writer in 0..<topology.writers { try self.send(writer) }
    }

    /// Keeps the windows full and counts for some time.
    func go(seconds: Double) throws {
        let start = Moment.now
        while self.lastTurn.seconds(since: start) < seconds { try self.turn() }
    }

    /// Goes on for some time and returns the figures, yet without the missing and disordered values.
    func measure(_ server: Server, seconds: Double) throws -> Traffic.Result {
        let (deliveries, busySeconds) = (self.ledger.deliveries, self.busySeconds)
        let (start, thread, cpuSeconds) = try (Moment.now, Moment.ofThisThread, server.process.cpuSeconds)
        try self.go(seconds: seconds)
        let measured = start.secondsUntilNow
        // The thread's clock is a system call that costs a quarter of a reading, so it is not asked at each turn. Other
        // programs are taken to interrupt busy turns and idle ones alike.
        let busyShare = (self.busySeconds - busySeconds) / measured
        return try Traffic.Result(
            deliveries: self.ledger.deliveries - deliveries,
            seconds: measured,
            serverCPUSeconds: server.process.cpuSeconds - cpuSeconds,
            generatorCPUSeconds: busyShare * Moment.ofThisThread.seconds(since: thread),
            missing: 0,
            disorder: 0
        )
    }

    /// Sends no more and waits until everything has come, or nothing comes any more.
    func drain() throws {
        self.isStopping = true
        var lastProgress = Moment.now
        while self.ledger.missing > 0, lastProgress.secondsUntilNow < Self.patience {
            let before = self.ledger.deliveries
            try self.turn()
            if self.ledger.deliveries > before { lastProgress = .now }
        }
    }

    /// Reads no more at the reader for whom nobody waits.
    func stall() throws {
        guard let client = self.bystander?.client else { return }
        self.bystander?.stall()
        try self.crowd.setAside(client)
    }

    /// Reads there again until nothing comes for a second, or the server has ended that connection.
    func resume() throws {
        guard let client = self.bystander?.client else { return }
        try self.crowd.takeBack(client)
        var lastProgress = Moment.now
        while lastProgress.secondsUntilNow < 1, !self.crowd.ended.contains(client) {
            let before = self.bystander?.got
            try self.turn()
            if self.bystander?.got != before { lastProgress = .now }
        }
        if self.crowd.ended.contains(client) { self.bystander?.lost() }
    }

    /// Reads what there is, and sends where there is room by that.
    private func turn() throws {
        let waiting = self.settings.spins ? Crowd.Waiting.not : .milliseconds(10)
        let readers = self.settings.topology.writers
        let any = try self.crowd.receive(waiting: waiting, mayEnd: self.bystander?.client) { index, arrivals in
            if index == self.bystander?.client {
                for case .value(let value) in arrivals { self.bystander?.arrived(value) }
            } else {
                self.ledger.arrived(arrivals, atReader: index - readers, freeing: &self.freed)
            }
        }
        if !self.isStopping { for writer in self.freed { try self.send(writer) } }
        self.freed.removeAll(keepingCapacity: true)
        let now = Moment.now
        if any { self.busySeconds += now.seconds(since: self.lastTurn) }
        self.lastTurn = now
    }

    /// Sends as many values as the window has room for, in one piece, each to a channel by chance.
    private func send(_ writer: Int) throws {
        let channels = self.channels[writer]
        try self.crowd.clients[writer].say { dialect, bytes in
            while self.ledger.hasRoom(writer) {
                let channel = channels.count == 1 ? channels[0] : channels[self.random.next(below: channels.count)]
                dialect.send(self.ledger.send(on: channel), byteCount: self.settings.valueBytes, into: &bytes)
            }
        }
    }
}

/// One run of handshakes: a connection that is taken makes room for the next one.
final class HandshakesRun {
    /// The run gives up after this time without a connection that is taken.
    private static let patience = 30.0

    private let settings: Handshakes
    private let server: Server
    private let tls: TLSContext?
    private let poller: Poller
    private var clients: [Client] = []
    /// When each of them began.
    private var starts: [Moment] = []
    private var begun = 0
    private var latency = Distribution()
    /// Time that went into connections, not into asking in vain.
    private var busySeconds = 0.0
    private var lastTurn = Moment.now
    private var lastProgress = Moment.now
    private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
    private var arrivals = Arrivals()

    init(_ settings: Handshakes, at server: Server) throws {
        self.settings = settings
        self.server = server
        self.tls = try server.makeTLS()
        self.poller = try Poller()
        for place in 0..<settings.underWay {
            self.starts.append(.now)
            self.clients.append(try self.connect(as: place))
        }
    }

    func go(seconds: Double) throws {
        let start = Moment.now
        while self.lastTurn.seconds(since: start) < seconds { try self.turn() }
    }

    func measure(seconds: Double) throws -> Handshakes.Result {
        self.latency = Distribution()
        let busySeconds = self.busySeconds
        let (start, thread, cpuSeconds) = try (Moment.now, Moment.ofThisThread, self.server.process.cpuSeconds)
        try self.go(seconds: seconds)
        let measured = start.secondsUntilNow
        let busyShare = (self.busySeconds - busySeconds) / measured
        return try Handshakes.Result(
            connections: self.latency.count,
            seconds: measured,
            latency: self.latency,
            serverCPUSeconds: self.server.process.cpuSeconds - cpuSeconds,
            generatorCPUSeconds: busyShare * Moment.ofThisThread.seconds(since: thread)
        )
    }

    private func turn() throws {
        let any = try self.poller.wait(milliseconds: self.settings.spins ? 0 : 10) { place in
            try self.clients[place].receive(into: &self.buffer, &self.arrivals)
            if self.arrivals.list.contains(.opened) { try self.wasTaken(place) }
        }
        let now = Moment.now
        if any { self.busySeconds += now.seconds(since: self.lastTurn) }
        self.lastTurn = now
        guard now.seconds(since: self.lastProgress) < Self.patience else { throw ProtocolError.late("a handshake") }
    }

    private func wasTaken(_ place: Int) throws {
        let now = Moment.now
        self.latency.add(from: self.starts[place], to: now)
        self.lastProgress = now
        self.starts[place] = now
        // The other one ends by this.
        self.clients[place] = try self.connect(as: place)
    }

    private func connect(as place: Int) throws -> Client {
        self.begun += 1
        let client = try Client(self.begun, of: self.server, self.tls)
        try self.poller.watch(client.connection.descriptor, as: place)
        return client
    }
}

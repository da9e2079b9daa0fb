/// One run of requests: each client has a channel, and asks again when it is answered.
final class RequestsRun {
    /// The wait for an answer gives up after this time.
    private static let patience = 10.0

    /// Answers with a value that is not the last one that was stored.
    private(set) var wrong = 0

    private let settings: Requests
    private let crowd: Crowd
    /// The number of the value that each client has stored.
    private var stored: [Int]
    /// When each of them sent the request that is under way; nil if there is none.
    private var starts: [Moment?]
    private var latency = Distribution()
    /// Time that went into reading and sending, not into asking in vain.
    private var busySeconds = 0.0
    private var lastTurn = Moment.now

    /// Stores a value of each client, and begins.
    init(_ settings: Requests, at server: Server) throws {
        self.settings = settings
        self.crowd = try Crowd(of: settings.clients, at: server) { _ in Crowd.Wish() }
        self.stored = Array(repeating: 0, count: settings.clients)
        self.starts = Array(repeating: nil, count: settings.clients)
        try self.all(.put)
        for index in self.crowd.clients.indices { try self.begin(settings.kind, index) }
    }

    func go(seconds: Double) throws {
        let start = Moment.now
        while self.lastTurn.seconds(since: start) < seconds { try self.turn(then: self.settings.kind) }
    }

    func measure(_ server: Server, seconds: Double) throws -> Requests.Result {
        self.latency = Distribution()
        let busySeconds = self.busySeconds
        let (start, thread, cpuSeconds) = try (Moment.now, Moment.ofThisThread, server.process.cpuSeconds)
        try self.go(seconds: seconds)
        let measured = start.secondsUntilNow
        let busyShare = (self.busySeconds - busySeconds) / measured
        return try Requests.Result(
            requests: self.latency.count,
            seconds: measured,
            latency: self.latency,
            serverCPUSeconds: server.process.cpuSeconds - cpuSeconds,
            generatorCPUSeconds: busyShare * Moment.ofThisThread.seconds(since: thread),
            wrong: 0
        )
    }

    /// Waits for what is under way, and then asks for the value of each client.
    func check() throws {
        try self.drain()
        try self.all(.get)
    }

    /// Every client makes one request.
    private func all(_ kind: Requests.Kind) throws {
        for index in self.crowd.clients.indices { try self.begin(kind, index) }
        try self.drain()
    }

    private func drain() throws {
        let start = Moment.now
        while self.starts.contains(where: { $0 != nil }) {
            guard start.secondsUntilNow < Self.patience else { throw ProtocolError.late("an answer") }
            try self.turn(then: nil)
        }
    }

    /// Reads what there is; a client that is answered makes the next request, if there is one.
    private func turn(then kind: Requests.Kind?) throws {
        let waiting = self.settings.spins ? Crowd.Waiting.not : .milliseconds(10)
        let any = try self.crowd.receive(waiting: waiting) { index, arrivals in
            for arrival in arrivals {
                try self.arrived(arrival, index)
                if let kind { try self.begin(kind, index) }
            }
        }
        let now = Moment.now
        if any { self.busySeconds += now.seconds(since: self.lastTurn) }
        self.lastTurn = now
    }

    private func arrived(_ arrival: Arrival, _ index: Int) throws {
        switch arrival {
        case .answered: break
        case .value(let value):
            if value != NumberedValue(channel: index, number: self.stored[index]) { self.wrong += 1 }
        case .opened, .bound, .synced: throw ProtocolError.unexpected("\(arrival), not an answer")
        }
        guard let start = self.starts[index] else { throw ProtocolError.unexpected("an answer to no request") }
        self.latency.add(from: start, to: .now)
        self.starts[index] = nil
    }

    private func begin(_ kind: Requests.Kind, _ index: Int) throws {
        self.starts[index] = .now
        try self.crowd.clients[index].say { dialect, bytes in
            switch kind {
            case .get: dialect.ask(for: index, into: &bytes)
            case .put:
                self.stored[index] += 1
                let value = NumberedValue(channel: index, number: self.stored[index])
                dialect.store(value, byteCount: self.settings.valueBytes, durably: false, into: &bytes)
            }
        }
    }
}

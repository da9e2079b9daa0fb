/// Clients of one server that one thread serves together.
final class Crowd {
    /// The wishes of one client.
    struct Wish {
        var reads: [Int] = []
        var writes: [Int] = []
        /// See ``Connection``.
        var receiveBufferBytes: Int32?
    }

    /// The number of handshakes at a time: fewer than any server lets queue up.
    private static let handshakesUnderWay = 64
    /// One address has some 28 000 ports to connect from.
    private static let connectionsPerAddress = 20_000
    /// The longest time without progress of a handshake.
    private static let patience = 30.0

    private(set) var clients: [Client] = []
    /// Clients whose connection the server has ended, as far as that was foreseen.
    private(set) var ended: Set<Int> = []
    private let poller: Poller
    private let tls: TLSContext?
    private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 20)
    private var arrivals = Arrivals()

    /// Connects `count` clients, each of which gets what it wishes.
    init(of count: Int, at server: Server, _ wish: (Int) -> Wish) throws {
        self.poller = try Poller()
        self.tls = try server.makeTLS()
        var readiness: [ReadinessStateMachine] = []
        var ready = 0
        var lastProgress = Moment.now
        while ready < count {
            while self.clients.count < min(count, ready + Self.handshakesUnderWay) {
                try self.admit(to: server, receiveBufferBytes: wish(self.clients.count).receiveBufferBytes)
                readiness.append(ReadinessStateMachine())
            }
            let before = ready
            _ = try self.receive(waiting: .milliseconds(100)) { index, arrivals in
                for arrival in arrivals where try self.advance(index, &readiness[index], arrival, wish) { ready += 1 }
            }
            if ready > before { lastProgress = .now }
            guard lastProgress.secondsUntilNow < Self.patience else { throw ProtocolError.late("a handshake") }
        }
    }

    /// The longest wait for something to read.
    enum Waiting {
        case milliseconds(Int32)
        /// Asks again and again without sleeping, so that a server's write need not wake anybody up.
        case not
    }

    /// Calls `body` with the index of a client and all that arrived there, for each that has something to read.
    ///
    /// If the server ends the connection of the client `mayEnd`, that is noted and not thrown.
    ///
    /// - Returns: Whether there was anything.
    @inline(__always)
    func receive(waiting: Waiting, mayEnd: Int? = nil, _ body: (Int, [Arrival]) throws -> Void) throws -> Bool {
        let milliseconds: Int32 = if case .milliseconds(let most) = waiting { most } else { 0 }
        return try self.poller.wait(milliseconds: milliseconds) { index in
            do {
                try self.clients[index].receive(into: &self.buffer, &self.arrivals)
            } catch  where index == mayEnd {
                self.ended.insert(index)
                return try self.setAside(index)
            }
            try body(index, self.arrivals.list)
        }
    }

    /// Reads no more from a client.
    func setAside(_ index: Int) throws {
        try self.poller.unwatch(self.clients[index].connection.descriptor)
    }

    /// Reads again from a client that was set aside.
    func takeBack(_ index: Int) throws {
        try self.poller.watch(self.clients[index].connection.descriptor, as: index)
    }

    private func admit(to server: Server, receiveBufferBytes: Int32?) throws {
        let index = self.clients.count
        let client = try Client(
            index,
            of: server,
            self.tls,
            source: index / Self.connectionsPerAddress,
            receiveBufferBytes: receiveBufferBytes
        )
        self.clients.append(client)
        try self.poller.watch(client.connection.descriptor, as: index)
    }

    /// Whether the client has become ready by this.
    private func advance(
        _ index: Int,
        _ readiness: inout ReadinessStateMachine,
        _ arrival: Arrival,
        _ wish: (Int) -> Wish
    ) throws -> Bool {
        let action: ReadinessStateMachine.OnArrival =
            switch arrival {
            case .opened: readiness.opened()
            case .bound: readiness.bound()
            // Others of the crowd may be at work already.
            case .value, .answered, .synced: .wait
            }
        switch action {
        case .ready: return true
        case .wait: return false
        case .bind: return readiness.asked(for: try self.bind(self.clients[index], wish(index))) == .ready
        case .fail: throw ProtocolError.unexpected("an answer that has no place in a handshake")
        }
    }

    /// Asks for all that a client wishes; returns how many answers will come.
    private func bind(_ client: Client, _ wish: Wish) throws -> Int {
        try client.say { dialect, bytes in
            var answers = 0
            for channel in wish.writes where dialect.bind(channel, as: .writer, into: &bytes) { answers += 1 }
            for channel in wish.reads where dialect.bind(channel, as: .reader, into: &bytes) { answers += 1 }
            return answers
        }
    }
}

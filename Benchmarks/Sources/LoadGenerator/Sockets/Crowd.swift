/// Clients of one server that one thread serves together.
final class Crowd {
    /// What a client asks to be bound to.
    struct Request {
        var channel: String
        var role: ClientMessage.Role
    }

    /// How many connections go through their handshake at a time: fewer than any server lets queue up.
    private static let handshakesUnderWay = 64
    /// One address has some 28 000 ports to connect from.
    private static let connectionsPerAddress = 20_000
    /// How long a handshake may stand still.
    private static let patience = 30.0

    private(set) var clients: [Client] = []
    private let poller: Poller
    private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 20)
    private var ready = 0

    /// Connects `count` clients and binds each as `request` says; without a request it is only welcomed.
    init(of count: Int, at server: Server, request: (Int) -> Request?) throws {
        self.poller = try Poller()
        var lastProgress = Moment.now
        while self.ready < count {
            while self.clients.count < min(count, self.ready + Self.handshakesUnderWay) {
                try self.admit(to: server, binds: server.kind == .racd && request(self.clients.count) != nil)
            }
            let before = self.ready
            _ = try self.receive(waiting: .milliseconds(100)) { index, message in
                try self.handshake(of: self.clients[index], message, request: request(index))
            }
            if self.ready > before { lastProgress = .now }
            guard lastProgress.secondsUntilNow < Self.patience else { throw ProtocolError.late("a handshake") }
        }
    }

    /// How long to wait for something to read.
    enum Waiting {
        case milliseconds(Int32)
        /// Asks again and again without sleeping, so that a server's write need not wake anybody up.
        case not
    }

    /// Calls `body` with the index of a client and a message, for all that there is to read.
    ///
    /// - Returns: Whether there was anything.
    @inline(__always)
    func receive(waiting: Waiting, _ body: (Int, Span<UInt8>) throws -> Void) throws -> Bool {
        let milliseconds: Int32 = if case .milliseconds(let most) = waiting { most } else { 0 }
        return try self.poller.wait(milliseconds: milliseconds) { index in
            try self.clients[index].connection.receive(into: &self.buffer) { try body(index, $0) }
        }
    }

    private func admit(to server: Server, binds: Bool) throws {
        let index = self.clients.count
        let connection = try Connection(to: server.endpoint, source: index / Self.connectionsPerAddress)
        if server.kind == .racd { try connection.send(ClientMessage.hello.frame) }
        try self.poller.watch(connection.descriptor, as: index)
        self.clients.append(Client(connection, binds: binds))
    }

    private func handshake(of client: Client, _ message: Span<UInt8>, request: Request?) throws {
        if message.field("op", is: "welcome") {
            try self.welcomed(client, message, request: request)
        } else if message.field("op", is: "reply") {
            let binding = client.handshake.replied(terminal: message.number("t"), sends: message.number("n"))
            guard case .ready(let binding) = binding else { throw ProtocolError.unexpected(message) }
            client.binding = binding
            self.ready += 1
        } else {
            try client.expectPing(message)
        }
    }

    private func welcomed(_ client: Client, _ message: Span<UInt8>, request: Request?) throws {
        switch client.handshake.welcomed() {
        case .bind:
            guard let request else { throw ProtocolError.unexpected(message) }
            try client.connection.send(ClientMessage.bind(channel: request.channel, role: request.role).frame)
        case .ready: self.ready += 1
        case .fail: throw ProtocolError.unexpected(message)
        }
    }
}

/// A connection's client, as the daemon shows it to others.
package struct ConnectedClient: Hashable, Sendable {
    /// The daemon's number of the connection, which no other connection gets.
    package var connection: UInt64
    /// The client's name for itself.
    package var name: String?
    /// The client's name for its program.
    package var agent: String?
    package var peer: PeerAddress?
    /// The transport of the connection; nil if the daemon does not report it, or if this code does not know it.
    package var transport: Transport?
    /// The client's principal in a closed daemon.
    package var principal: String?
    /// The time of the welcome, in milliseconds since 1970 UTC.
    package var since: Int64?

    package init(
        connection: UInt64,
        name: String? = nil,
        agent: String? = nil,
        peer: PeerAddress? = nil,
        transport: Transport? = nil,
        principal: String? = nil,
        since: Int64? = nil
    ) {
        self.connection = connection
        self.name = name
        self.agent = agent
        self.peer = peer
        self.transport = transport
        self.principal = principal
        self.since = since
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.connection = try envelope.requiredCount(.connection)
        self.name = try envelope.string(.name)
        self.agent = try envelope.string(.agent)
        self.peer = try PeerAddress(envelope)
        self.transport = try envelope.string(.via).flatMap(Transport.init(rawValue:))
        self.principal = try envelope.string(.principal)
        self.since = try envelope.integer(.since)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.connection, self.connection)
        object.write(.name, self.name)
        object.write(.agent, self.agent)
        self.peer?.write(to: &object)
        object.write(.via, self.transport?.rawValue)
        object.write(.principal, self.principal)
        object.write(.since, self.since)
    }
}

/// The way of a client's messages to the daemon.
package enum Transport: String, CaseIterable, Sendable {
    case tcp
    case tls
    case unix
    /// A WebSocket, plain or inside TLS.
    case webSocket = "websocket"
    /// Requests of HTTP, plain or inside TLS.
    case http
}

/// The other end of a connection, as the daemon sees it.
package enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
    private static let unix = "unix"

    /// An address with a port.
    case tcp(String)
    /// The process and the user that opened the Unix socket, as the system knows them.
    case unix(process: UInt64?, user: UInt64?)

    init?(_ envelope: borrowing Envelope) throws(MessageError) {
        guard let peer = try envelope.string(.peer) else { return nil }
        self =
            peer == Self.unix
            ? .unix(process: try envelope.count(.pid), user: try envelope.count(.uid)) : .tcp(peer)
    }

    func write(to object: inout ObjectWriter) {
        switch self {
        case .tcp(let address): object.write(.peer, address)
        case .unix(let process, let user):
            object.write(.peer, Self.unix)
            object.write(.pid, process)
            object.write(.uid, user)
        }
    }

    package var description: String {
        switch self {
        case .tcp(let address): address
        case .unix(let process, let user):
            process == nil && user == nil
                ? Self.unix
                : [process.map { "pid \($0)" }, user.map { "uid \($0)" }].compactMap(\.self).joined(separator: " ")
        }
    }
}

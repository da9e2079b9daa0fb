import NIOCore
package import RacHost
package import RacProtocol

/// What happened to a connection, as its loop tells the host's.
enum ConnectionEvent: Sendable {
    /// The client has been welcomed.
    case welcomed(session: String?, agent: String?)
    case said(ClientWords)
    /// So many bytes of what the host had for the client are on their way.
    case wrote(Int)
    /// The socket takes more again, or no more for now.
    case isWritable(Bool)
    /// Its loop keeps so many bytes for it: beginnings of frames, and what its socket has not taken.
    case holds(Int)
    /// The client has said all that counts: `drained` is due when it has been given all that is.
    case saidAll
    case closed
}

/// What shall happen to a connection, as the host's loop tells its own.
package enum ConnectionOrder: Sendable {
    case write(Outgoing)
    /// So many bytes of what the client said have been taken.
    case took(Int)
    /// Behind `saidAll`: nothing more is due to the client.
    case drained
    case end
    /// The daemon keeps too much: the connection ends, at once if the client has to read before it could be told.
    case letGo(isUnread: Bool)
}

/// A frame of a client, as it was understood.
package struct ClientWords: Sendable {
    enum Meaning: Sendable {
        case message(ClientMessage)
        case fault(MessageError)
    }

    let meaning: Meaning

    /// The length of the frame's payload.
    let bytes: Int

    package init(_ message: ClientMessage, bytes: Int) {
        self.meaning = .message(message)
        self.bytes = bytes
    }

    init(_ payload: ByteBuffer) {
        self.bytes = payload.readableBytes
        do throws(MessageError) {
            self.meaning = .message(try Self.message(payload))
        } catch {
            self.meaning = .fault(error)
        }
    }

    private static func message(_ payload: ByteBuffer) throws(MessageError) -> ClientMessage {
        if let send = Send(plain: payload) { return .send(send) }
        return try ClientMessage(payload: payload)
    }
}

/// A batch of the handover between a connections' loop and the host's: in the order of its making, over all connections.
typealias ConnectionEvents = [(id: ConnectionID, event: ConnectionEvent)]
typealias ConnectionOrders = [(id: ConnectionID, order: ConnectionOrder)]

import NIOCore
package import RacAccess
package import RacHost
package import RacProtocol

/// An event of a connection, from the connection's loop to the host's.
enum ConnectionEvent: Sendable {
    /// The client has been welcomed.
    case welcomed(Introduction)
    case said(ClientWords)
    /// This many bytes of the host's output are on their way to the client.
    case wrote(Int)
    /// The socket takes bytes again, or no more for now.
    case isWritable(Bool)
    /// The loop keeps this many bytes for the connection: unfinished frames, and bytes that the socket has not taken.
    case holds(Int)
    /// The client sends nothing more that counts; `drained` follows when it has been given everything that is due.
    case saidAll
    case closed
}

/// An order for a connection, from the host's loop to the connection's.
package enum ConnectionOrder: Sendable {
    case write(Outgoing)
    /// This many bytes of the client's frames have been taken.
    case took(Int)
    /// Answers `saidAll`: nothing more is due to the client.
    case drained
    /// The connection ends, with the code of the error; nil if the client has said `bye`.
    case end(String?)
    /// The daemon keeps too many bytes, so the connection ends; at once if the client would have to read before the reason.
    case letGo(isUnread: Bool)
    /// The client has reached a limit of the daemon, which the log shows.
    case reachedLimit(WireError)
    /// Acts of the client were refused for want of permission, which the log shows.
    case refused(RefusedActs)
    /// The client was lost and left wills, which the log shows; its connection is gone.
    case appliedWills(AppliedWills)
    /// The client is read at this rate from now on.
    case reads(ReadRate)
}

/// A decoded frame of a client: a message, or the fault in it.
package struct ClientWords: Sendable {
    enum Meaning: Sendable {
        case message(ClientMessage)
        case fault(MessageError)
    }

    /// The memory that a waiting message takes in addition to its payload, rounded up.
    static let overhead = 192

    let meaning: Meaning

    /// The memory that the message takes while it waits: the length of the frame's payload, and the overhead.
    let bytes: Int

    package init(_ message: ClientMessage, bytes: Int) {
        self.meaning = .message(message)
        self.bytes = bytes
    }

    init(_ payload: ByteBuffer) {
        self.bytes = payload.readableBytes + Self.overhead
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

/// Events of all connections of a loop, in the order in which they happened.
typealias ConnectionEvents = [(id: ConnectionID, event: ConnectionEvent)]
/// Orders for connections of a loop, in the order in which they were given.
typealias ConnectionOrders = [(id: ConnectionID, order: ConnectionOrder)]

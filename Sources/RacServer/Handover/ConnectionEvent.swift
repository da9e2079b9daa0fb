import NIOCore
package import RacAccess
package import RacHost
package import RacProtocol

/// An event of a connection, from the connection's loop to the host's.
enum ConnectionEvent: Sendable {
    /// The client has been welcomed.
    case welcomed(Introduction)
    case said(ClientWords)
    /// The client has sent values: plain sends at this place in the bytes of the batch, which count for so many bytes.
    case sent(Range<Int>, counting: Int)
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
///
/// Values of a client on another loop are several frames.
package struct ClientWords: Sendable {
    enum Meaning: Sendable {
        case message(ClientMessage)
        case fault(MessageError)
        /// Plain sends in whole frames, and nothing else.
        case sends(ByteBuffer)
    }

    /// A message with more bytes than this is not cheap.
    static let shortBytes = 4 << 10

    /// The memory that a waiting message takes in addition to its payload, rounded up.
    static let overhead = 192

    /// The plain sends at the front of bytes that come from another loop, with the memory that each takes if it waits.
    static func sends(in bytes: ByteBuffer) -> PlainSends {
        PlainSends(of: bytes, longestPayload: .max, limit: .max, overhead: Self.overhead)
    }

    let meaning: Meaning

    /// The memory that each message takes while it waits: the length of the frame's payload, and the overhead.
    let bytes: Int

    /// Takes plain sends, which count for so many bytes.
    init(sends: ByteBuffer, bytes: Int) {
        self.meaning = .sends(sends)
        self.bytes = bytes
    }

    /// The words with a copy of the sends, which does not keep the bytes of other clients.
    var detached: ClientWords {
        guard case .sends(let frames) = self.meaning else { return self }
        return ClientWords(sends: ByteBuffer(bytes: frames.readableBytesView), bytes: self.bytes)
    }

    /// Whether the next message is short.
    var isShort: Bool {
        guard case .sends(let frames) = self.meaning else { return self.bytes <= Self.shortBytes }
        return frames.getInteger(at: frames.readerIndex, as: UInt32.self).map { $0 <= Self.shortBytes } ?? true
    }

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

/// Events of all connections of a loop.
///
/// Values are bytes in it, so that none becomes an object which two threads count. The host reads them as it reads those of its
/// own loop's sockets.
struct ConnectionBatch: Sendable {
    /// The events, in the order in which they happened.
    var events: [(id: ConnectionID, event: ConnectionEvent)] = []
    /// The plain sends of all clients.
    var bytes = ByteBuffer()
}

/// Orders for connections of a loop, in the order in which they were given.
typealias ConnectionOrders = [(id: ConnectionID, order: ConnectionOrder)]

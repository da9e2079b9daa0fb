import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacWeb

/// The form in which a client speaks, which its first byte shows.
///
/// Semantics: protocol.md, "WebSocket"; docs/web.md.
enum Dialect {
    /// Frames of the rac protocol.
    case frames
    /// The messages of a WebSocket.
    case webSocket(WebSocketSide)
    /// Requests of HTTP, the first of which may lead to a WebSocket.
    case http(HTTPSide)

    /// Whether a first byte begins a method of HTTP; a frame with it would be too long for any hello.
    static func isHTTP(_ first: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    }

    /// The bytes that are kept for the client in addition to those of ``FrameInput``.
    var keptBytes: Int {
        switch self {
        case .frames: 0
        case .webSocket(let side): side.reader.keptBytes
        case .http(let side): side.keptBytes
        }
    }

    /// Whether output of the host waits for its turn, so that more is not welcome.
    var isLate: Bool {
        if case .http(let side) = self { !side.late.isEmpty } else { false }
    }

    /// Whether the client has to wait before more is read.
    var isHeld: Bool {
        if case .http(let side) = self { side.isHeld } else { false }
    }
}

/// The WebSocket of one connection.
///
/// Isolation: the connection's event loop.
final class WebSocketSide {
    var reader = WebSocketReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes)

    /// The proofs that came with the request; a token in the hello goes before that of a cookie.
    let credentials: Credentials

    /// The code with which the WebSocket ends.
    var code = WebSocketCode.normal.rawValue

    /// The code of the error that ends it; empty without an error.
    private(set) var reason = ""

    /// The payload of the newest ping without an answer.
    var owedPong: ByteBuffer?

    init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// The WebSocket ends for an error with this code.
    func ends(because error: String) {
        self.reason = error
        guard self.code == WebSocketCode.normal.rawValue else { return }
        let code: WebSocketCode =
            switch ErrorCode(rawValue: error) {
            case .shuttingDown: .goingAway
            case .tooLarge: .tooLarge
            case .badFrame: .protocolError
            default: .policy
            }
        self.code = code.rawValue
    }
}

@available(*, unavailable)
extension WebSocketSide: Sendable {}

// MARK: WebSocket

extension ConnectionHandler {
    /// Bytes of a WebSocket have come.
    func received(_ bytes: ByteBuffer, by side: WebSocketSide) {
        if self.handshake.isWelcomed { self.heartbeat.heard(at: self.loop.now) }
        self.loop.spent(Work.bytesRead(bytes.readableBytes), by: self)
        side.reader.received(bytes)
        self.paced?.pace.received(bytes.readableBytes)
        if !self.input.isHeld { self.readMessages(side, self.loop.roomToRead(for: self)) }
        self.tellHeldBytes()
    }

    /// Reads messages until the client has to wait; short ones are passed on together, as a read of frames is.
    func readMessages(_ side: WebSocketSide, _ room: Int) {
        var room = room
        do throws(WebSocketFault) {
            while !self.input.isHeld, room > 0 {
                guard let event = try side.reader.next(atMost: 1 + room / Self.messageUnits) else { break }
                room -= self.spent(on: event)
                switch event {
                case .messages: self.readFrames(of: side, &room)
                case .pong: break
                case .ping(let payload):
                    side.owedPong = payload
                    self.followsOutput = true
                    self.payPong(side)
                case .close(let code):
                    side.code = code ?? side.code
                    side.reader.dismiss()
                    return self.inputClosed()
                }
            }
            guard !self.input.isHeld else { return }
            if room <= 0 { return self.awaitTurn(side) }
            guard let paced else { return }
            // Control frames, and the beginning of a message, count as they come.
            paced.pace.tookAll()
            self.restIfOver(paced)
        } catch {
            self.readFrames(of: side, &room)
            side.code = error.code.rawValue
            self.end(because: WireError(error.code == .tooLarge ? .tooLarge : .badFrame, error.reason))
        }
    }

    /// Reads the frames of messages, and takes the units of that from the room.
    private func readFrames(of side: WebSocketSide, _ room: inout Int) {
        let frames = side.reader.takeFrames()
        guard frames.readableBytes > 0 else { return }
        self.input.received(frames)
        self.readFrames(max(0, room))
        room = self.input.room
    }

    /// The units of an event, which the client has spent.
    private func spent(on event: WebSocketReader.Event) -> Int {
        var units = Self.controlUnits
        if case .messages(let count) = event { units = count * Self.messageUnits }
        self.loop.spent(units, by: self)
        return units
    }

    /// The price of a message, without the bytes and the decoding.
    private static var messageUnits: Int { 2 }

    /// The price of a control frame.
    private static var controlUnits: Int { 10 }

    private func awaitTurn(_ side: WebSocketSide) {
        self.input.awaitTurn()
        self.loop.awaitsTurn(self, bytes: side.reader.keptBytes)
    }

    /// Answers the newest ping when the earlier answers have left: pings must not fill the daemon's memory.
    func payPong(_ side: WebSocketSide) {
        guard let outlet, outlet.waitingBytes == 0, self.closing.isOpen, let payload = side.owedPong else { return }
        side.owedPong = nil
        self.followsOutput = false
        self.send(FrameBytes.webSocketPong(payload))
    }

    /// A request has been answered with the beginning of a WebSocket.
    func becomesWebSocket(_ side: WebSocketSide, behind answer: FrameBytes, unread: ByteBuffer) {
        self.forgetPrincipal()
        self.dialect = .webSocket(side)
        self.followsOutput = false
        self.heartbeat = HeartbeatStateMachine(interval: self.loop.configuration.helloTimeout, at: self.loop.now)
        self.send(answer)
        if unread.readableBytes > 0 { self.received(unread, by: side) }
    }
}

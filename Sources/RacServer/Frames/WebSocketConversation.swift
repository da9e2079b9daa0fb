import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacWeb

/// The messages of a WebSocket: frames with another reader and another writer.
///
/// Isolation: the connection's event loop.
///
/// Semantics: protocol.md, "WebSocket".
final class WebSocketConversation: FrameConversation {
    private var reader = WebSocketReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes)

    /// The proofs that came with the request; a token in the hello goes before that of a cookie.
    private let credentials: Credentials

    /// The code with which the WebSocket ends.
    private var code = WebSocketCode.normal.rawValue

    /// The code of the error that ends it; empty without an error.
    private var reason = ""

    /// The payload of the newest ping without an answer.
    private var owedPong: ByteBuffer?

    init(_ connection: ConnectionHandler, _ credentials: Credentials) {
        self.credentials = credentials
        super.init(connection)
    }

    override var transport: Transport { .webSocket }

    override func credentials(of hello: Hello) -> Credentials {
        hello.token == nil ? self.credentials : super.credentials(of: hello)
    }

    /// A WebSocket has a compression of its own kind.
    override func deflates(for hello: Hello) -> Bool {
        self.reader.maximumBytes = self.loop.configuration.maximumFrameBytes
        return false
    }

    override var unframedBytes: Int { self.reader.keptBytes }

    override func received(_ bytes: ByteBuffer) {
        if self.connection.isWelcomed { self.connection.heartbeat.heard(at: self.loop.now) }
        self.loop.spent(Work.bytesRead(bytes.readableBytes), by: self.connection)
        self.reader.received(bytes)
        self.connection.paced?.pace.received(bytes.readableBytes)
        if !self.input.isHeld { self.readMessages(self.loop.roomToRead(for: self.connection)) }
        self.connection.tellHeldBytes()
    }

    override func readOn(_ room: Int) {
        guard !self.loop.isStopping else { return }
        self.input.readOn()
        self.readFrames(room)
        self.readMessages(self.input.room)
        self.didReadOn()
    }

    override func dismiss() {
        super.dismiss()
        self.reader.dismiss()
    }

    override func send(_ frames: FrameBytes) {
        self.connection.send(self.loop.sharedMessages.messages(frames))
    }

    override func outputLeft() { self.payPong() }

    override func ends(because error: String) {
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

    override func sayGoodbye() {
        self.connection.send(.webSocketClose(self.code, self.reason))
    }
}

// MARK: Messages

extension WebSocketConversation {
    /// Reads messages until the client has to wait; short ones are passed on together, as a read of frames is.
    private func readMessages(_ room: Int) {
        var room = room
        do throws(WebSocketFault) {
            while !self.input.isHeld, room > 0 {
                guard let event = try self.reader.next(atMost: 1 + room / Self.messageUnits) else { break }
                room -= self.spent(on: event)
                switch event {
                case .messages: self.readFrames(of: &room)
                case .pong: break
                case .ping(let payload):
                    self.owedPong = payload
                    self.payPong()
                case .close(let code):
                    self.code = code ?? self.code
                    self.reader.dismiss()
                    return self.inputClosed()
                }
            }
            guard !self.input.isHeld else { return }
            if room <= 0 {
                self.input.awaitTurn()
                return self.loop.awaitsTurn(self.connection, bytes: self.reader.keptBytes)
            }
            guard let paced = self.connection.paced else { return }
            // Control frames, and the beginning of a message, count as they come.
            paced.pace.tookAll()
            self.restIfOver(paced)
        } catch {
            self.readFrames(of: &room)
            self.code = error.code.rawValue
            self.connection.end(because: WireError(error.code == .tooLarge ? .tooLarge : .badFrame, error.reason))
        }
    }

    /// Reads the frames of messages, and takes the units of that from the room.
    private func readFrames(of room: inout Int) {
        let frames = self.reader.takeFrames()
        guard frames.readableBytes > 0 else { return }
        self.input.received(frames)
        self.readFrames(max(0, room))
        room = self.input.room
    }

    /// The units of an event, which the client has spent.
    private func spent(on event: WebSocketReader.Event) -> Int {
        var units = Self.controlUnits
        if case .messages(let count) = event { units = count * Self.messageUnits }
        self.loop.spent(units, by: self.connection)
        return units
    }

    /// The price of a message, without the bytes and the decoding.
    private static let messageUnits = 2

    /// The price of a control frame.
    private static let controlUnits = 10

    /// Answers the newest ping when the earlier answers have left: pings must not fill the daemon's memory.
    private func payPong() {
        guard let outlet = self.connection.outlet, outlet.waitingBytes == 0, self.connection.closing.isOpen,
            let payload = self.owedPong
        else { return }
        self.owedPong = nil
        self.connection.send(FrameBytes.webSocketPong(payload))
    }
}

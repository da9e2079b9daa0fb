import NIOCore
import RacAccess
import RacHost
import RacProtocol

/// Frames of the rac protocol: messages in, the host's messages out.
///
/// Isolation: the connection's event loop.
///
/// Semantics: protocol.md, "Frames" and "Handshake".
class FrameConversation: Conversation {
    final let connection: ConnectionHandler
    final var input = FrameInput(
        maximumBytes: HandshakeStateMachine.maximumFrameBytes,
        aheadBytes: FlowWindow.aheadBytes
    )
    private final var handshake = HandshakeStateMachine()

    init(_ connection: ConnectionHandler) {
        self.connection = connection
    }

    final var loop: ConnectionLoop { self.connection.loop }

    var transport: Transport { self.connection.transportOfFrames }

    // MARK: What another form of frames does in its own way

    /// The proofs of the identity of a client that says hello.
    func credentials(of hello: Hello) -> Credentials {
        self.connection.credentials(token: hello.token.map(TokenHash.init(of:)))
    }

    /// Whether frames are compressed from the welcome on.
    func deflates(for hello: Hello) -> Bool { hello.deflate }

    /// The bytes of the client that are kept here, and have yet to become frames.
    var unframedBytes: Int { 0 }

    /// The client need not wait any more.
    func readOn(_ room: Int) {
        guard !self.loop.isStopping else { return }
        self.input.readOn()
        self.readFrames(room)
        self.didReadOn()
    }

    func received(_ bytes: ByteBuffer) {
        // Before the welcome only a whole hello counts: single bytes must not keep a connection alive.
        if self.connection.isWelcomed { self.connection.heartbeat.heard(at: self.loop.now) }
        self.input.received(bytes)
        self.connection.paced?.pace.received(bytes.readableBytes)
        self.loop.spent(Work.bytesRead(bytes.readableBytes), by: self.connection)
        if !self.input.isHeld { self.readFrames(self.loop.roomToRead(for: self.connection)) }
        self.connection.tellHeldBytes()
    }

    func dismiss() {
        self.input.dismiss()
    }

    func send(_ frames: FrameBytes) {
        self.connection.send(self.input.inflates ? self.loop.deflated.deflated(frames) : frames)
    }

    func outputLeft() {}

    func ends(because code: String) {}

    func sayGoodbye() {}
}

@available(*, unavailable)
extension FrameConversation: Sendable {}

// MARK: Bytes in

extension FrameConversation {
    final var keptBytes: Int { self.input.keptBytes + self.unframedBytes }

    final var isHeld: Bool { self.input.isHeld }

    final var hasMessages: Bool { self.input.isHeld }

    final var waitsWithFew: Bool { self.input.reading == .queued && self.keptBytes <= ReadTurns.fewBytes }

    final func inputClosed() { self.connection.inputEnded() }

    final func took(_ bytes: Int) {
        if self.input.taken(bytes) { self.readOn(self.loop.roomToRead(for: self.connection)) }
    }

    final func turnCame(_ room: Int) {
        if self.input.reading == .queued { self.readOn(room) }
    }

    final func spent(_ units: Int) { self.input.spend(units) }

    final func didReadOn() {
        self.connection.tellHeldBytes()
        self.connection.drain()
        self.connection.resumeReading()
    }

    final func readApart() {
        guard let frame = self.input.takeLong() else { return }
        self.loop.readApart(of: self.connection) {
            Result { () throws(FrameError) in try frame.words() }
        } then: {
            self.wasRead($0)
        }
    }

    /// The client's long frame has been read.
    private final func wasRead(_ words: Result<ClientWords, FrameError>) {
        guard self.input.wasRead(), !self.loop.isStopping else { return }
        switch words {
        case .success(let words):
            self.connection.paced?.pace.tookLongMessage()
            self.submit(words)
        case .failure(let error): self.connection.end(because: error.wireError)
        }
        self.connection.tellHeldBytes()
        if self.connection.closing.isOpen, !self.input.isHeld {
            self.readOn(self.loop.roomToRead(for: self.connection))
        }
    }

    final func readFrames(_ room: Int) {
        self.input.begin(room: room)
        do throws(FrameError) {
            if let paced = self.connection.paced { try self.readPaced(paced) } else { try self.readAll() }
        } catch {
            self.connection.end(because: error.wireError)
        }
        self.loop.spent(room - self.input.room, by: self.connection)
        self.input.releaseMemory()
        switch self.input.reading {
        case .on, .held, .resting: break
        case .queued: self.loop.awaitsTurn(self.connection, bytes: self.input.unread.readableBytes)
        case .apart: self.loop.awaitsReadingApart(self.connection)
        }
    }

    private final func readAll() throws(FrameError) {
        while true {
            self.readSends()
            guard let payload = try self.nextPayload() else { break }
            self.received(payload: payload)
            // The hello of a client with a bounded rate.
            if let paced = self.connection.paced { return try self.readPaced(paced) }
        }
    }

    /// Passes plain sends on together: clients send values most, one behind the other.
    private final func readSends() {
        guard self.input.mayHaveSends else { return }
        let buffer = self.input.unread
        let bytes = buffer.readableBytesUInt8Span
        var sends = self.input.sends(in: buffer, overhead: self.loop.door.overheadOfSend)
        self.loop.submit(&sends, in: bytes, from: self.connection)
        self.input.tookSends(sends.end, counting: sends.countedBytes)
    }

    private final func nextPayload() throws(FrameError) -> ByteBuffer? {
        guard case .payload(let payload) = try self.input.next() else { return nil }
        return payload
    }
}

// MARK: At a rate

extension FrameConversation {
    /// Passes messages on while the pace allows it, and then rests.
    private final func readPaced(_ paced: PacedReading) throws(FrameError) {
        while paced.pace.rests(at: self.loop.now) == nil {
            guard let payload = try self.nextPayload() else {
                // A client that waits for its turn, or for the host, has whole messages left.
                if self.input.reading == .on || self.input.reading == .apart {
                    paced.pace.tookAll(but: self.unframedBytes)
                }
                break
            }
            self.received(payload: payload)
            paced.pace.tookMessage(left: self.input.unread.readableBytes + self.unframedBytes)
        }
        self.restIfOver(paced)
    }

    /// Lets the client rest if it is over its rate.
    final func restIfOver(_ paced: PacedReading) {
        // A connection that ends has nothing to rest for, unless its client has closed its side behind whole messages.
        guard self.connection.closing.isOpen || self.input.unread.readableBytes > 0,
            let end = paced.pace.rests(at: self.loop.now), self.input.rests()
        else { return }
        self.connection.rest(paced, until: end)
    }

    final func restEnded() {
        guard self.input.reading == .resting else { return }
        self.loop.enterTick()
        self.readOn(self.loop.roomToRead(for: self.connection))
    }
}

// MARK: Messages

extension FrameConversation {
    /// A whole payload has come, without its frame.
    private final func received(payload: ByteBuffer) {
        guard self.connection.isWelcomed else { return self.greeted(ClientWords(payload)) }
        self.submit(ClientWords(payload))
    }

    private final func greeted(_ words: ClientWords) {
        let outcome =
            switch words.meaning {
            case .message(let message): self.handshake.received(message)
            case .fault(let fault): self.handshake.received(fault)
            // Values in a row are taken behind the welcome only.
            case .sends: HandshakeStateMachine.OnReceived.submit
            }
        switch outcome {
        case .submit: self.submit(words)
        case .welcome(let hello): self.admit(hello)
        case .end(let error): self.connection.end(because: error)
        }
    }

    /// Submits a message of a welcomed client to the host.
    private final func submit(_ words: consuming ClientWords) {
        self.input.passed(words.bytes)
        self.loop.submit(words, of: self.connection)
    }

    /// Welcomes a client that the rules accept; the others are refused after a pause, so that guessing is slow.
    private final func admit(_ hello: Hello) {
        let connection = self.connection
        var credentials = self.credentials(of: hello)
        if let reason = self.loop.refusal(of: &credentials, hello.token, connection) {
            self.handshake.refused()
            return connection.refuse(reason, after: ConnectionHandler.refusalPause)
        }
        let deflate = self.deflates(for: hello)
        self.input.welcomed(maximumBytes: self.loop.configuration.maximumFrameBytes, inflates: deflate)
        connection.heartbeat = HeartbeatStateMachine(interval: self.loop.configuration.heartbeat, at: self.loop.now)
        connection.beginsPace(of: credentials)
        // The bytes behind the hello have come already.
        connection.paced?.pace.received(self.input.unread.readableBytes + self.unframedBytes)
        self.send(FrameBytes(.welcome(self.loop.welcome(deflate: deflate))))
        connection.announce(
            Introduction(hello, peer: connection.peer, transport: self.transport, credentials: credentials)
        )
    }

    final func write(_ output: Outgoing) {
        output.forEach { self.send($0) }
    }

    final func refuse(_ error: WireError) {
        self.send(FrameBytes(.refused(nil, Refusal(error))))
    }

    final var isLate: Bool { false }
}

// MARK: Time

extension FrameConversation {
    final func ticked(at now: UInt64) {
        // Nothing but a hello puts off the end of a stranger's time.
        if self.connection.readsOn || self.connection.isWelcomed && self.waitsForDaemon {
            self.connection.heartbeat.heard(at: now)
        }
        self.connection.judgeSilence(at: now, isRead: self.input.reading != .resting) {
            self.send(FrameBytes(.ping))
        }
    }

    /// Whether the client's bytes are not read because the daemon has yet to work on earlier ones.
    private final var waitsForDaemon: Bool {
        switch self.input.reading {
        // The machine of the heartbeat knows of the rest.
        case .on, .resting: false
        case .queued, .apart: true
        // A client that does not read its answers is held, too, and may well be dead.
        case .held: self.connection.outlet?.waitingBytes == 0
        }
    }
}

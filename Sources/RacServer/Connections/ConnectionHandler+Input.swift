import Logging
import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacWeb

extension ConnectionHandler {
    /// Bytes of the client have come.
    func received(_ bytes: ByteBuffer) {
        guard self.closing.isOpen, !self.loop.isStopping else { return }
        self.hasSpoken = true
        self.loop.enterTick()
        if self.handshake.isWelcomed { self.loop.hasTraffic = true }
        switch self.dialect {
        case .frames: break
        case .webSocket(let side): return self.received(bytes, by: side)
        case .http(let side): return side.received(bytes)
        }
        if self.input.keptBytes == 0, !self.handshake.isWelcomed, let first = bytes.readableBytesView.first {
            if first == TLSRecord.handshake {
                let help = "the client began TLS, which this address does not speak: connect with rac://"
                return self.end(because: WireError(.badFrame, help))
            }
            if ProxyProtocol.begins(bytes) { return self.end(because: WireError(.badFrame, ProxyProtocol.help)) }
            if Dialect.isHTTP(first), let web = self.loop.web { return self.beginHTTP(bytes, web) }
        }
        // Before the welcome only a whole hello counts: single bytes must not keep a connection alive.
        if self.handshake.isWelcomed { self.heartbeat.heard(at: self.loop.now) }
        self.input.received(bytes)
        self.paced?.pace.received(bytes.readableBytes)
        self.loop.spent(Work.bytesRead(bytes.readableBytes), by: self)
        if !self.input.isHeld { self.readFrames(self.loop.roomToRead(for: self)) }
        self.tellHeldBytes()
    }

    /// The client has closed its sending side; it gets the answers that are due, then the end.
    func inputClosed() {
        switch self.closing.inputClosed() {
        case .drain:
            self.note(Self.hungUp)
            self.drain()
        case .close: self.close()
        case .nothing: break
        }
    }

    /// The host has taken this many bytes of the client's messages.
    func took(_ bytes: Int) {
        if self.input.taken(bytes) { self.readOn(self.loop.roomToRead(for: self)) }
    }

    /// The client, who waited in the line, gets this many units of the turn.
    func turnCame(_ room: Int) {
        if case .http(let side) = self.dialect { return side.turnCame(room) }
        if self.input.reading == .queued { self.readOn(room) }
    }

    /// The client's long frame has been read.
    func wasRead(_ words: Result<ClientWords, FrameError>) {
        guard self.input.wasRead(), !self.loop.isStopping else { return }
        switch words {
        case .success(let words):
            self.paced?.pace.tookLongMessage()
            self.submit(words)
        case .failure(let error): self.end(because: error.wireError)
        }
        self.tellHeldBytes()
        if self.closing.isOpen, !self.input.isHeld { self.readOn(self.loop.roomToRead(for: self)) }
    }

    func readOn(_ room: Int) {
        guard !self.loop.isStopping else { return }
        self.input.readOn()
        self.readFrames(room)
        if case .webSocket(let side) = self.dialect { self.readMessages(side, self.input.room) }
        self.tellHeldBytes()
        self.drain()
        self.resumeReading()
    }

    /// Takes no more messages: later bytes of the client are read and dropped.
    func stopListening() {
        let wasHeld = self.input.dismiss() || self.dialect.isHeld
        switch self.dialect {
        case .frames: break
        case .webSocket(let side): side.reader.dismiss()
        case .http(let side): side.dismiss()
        }
        self.tellHeldBytes()
        if wasHeld { self.context?.read() }
    }

    func readFrames(_ room: Int) {
        self.input.begin(room: room)
        do throws(FrameError) {
            if let paced { try self.readPaced(paced) } else { try self.readAll() }
        } catch {
            self.end(because: error.wireError)
        }
        self.loop.spent(room - self.input.room, by: self)
        self.input.releaseMemory()
        self.awaitReading()
    }

    private func readAll() throws(FrameError) {
        while true {
            self.readSends()
            guard let payload = try self.nextPayload() else { break }
            self.received(payload: payload)
            // The hello of a client with a bounded rate.
            if let paced { return try self.readPaced(paced) }
        }
    }

    private func awaitReading() {
        switch self.input.reading {
        case .on, .held, .resting: break
        case .queued: self.loop.awaitsTurn(self, bytes: self.input.unread.readableBytes)
        case .apart: self.loop.awaitsReadingApart(self)
        }
    }

    /// Passes plain sends on together: clients send values most, one behind the other.
    private func readSends() {
        guard self.input.mayHaveSends else { return }
        let buffer = self.input.unread
        let bytes = buffer.readableBytesUInt8Span
        var sends = self.input.sends(in: buffer)
        self.loop.submit(&sends, in: bytes, from: self)
        self.input.tookSends(sends.end, payloadBytes: sends.payloadBytes)
    }

    func nextPayload() throws(FrameError) -> ByteBuffer? {
        guard case .payload(let payload) = try self.input.next() else { return nil }
        return payload
    }

    /// A whole payload has come, without its frame.
    func received(payload: ByteBuffer) {
        guard self.handshake.isWelcomed else { return self.greeted(ClientWords(payload)) }
        self.submit(ClientWords(payload))
    }

    private func greeted(_ words: ClientWords) {
        let outcome =
            switch words.meaning {
            case .message(let message): self.handshake.received(message)
            case .fault(let fault): self.handshake.received(fault)
            }
        switch outcome {
        case .submit: self.submit(words)
        case .welcome(let hello): self.admit(hello)
        case .end(let error): self.end(because: error)
        }
    }

    /// Submits a message of a welcomed client to the host.
    func submit(_ words: consuming ClientWords) {
        self.input.passed(words.bytes)
        self.loop.submit(words, of: self)
    }

    /// Welcomes a client that the rules accept; the others are refused after a pause, so that guessing is slow.
    private func admit(_ hello: Hello) {
        var credentials = self.credentials(of: hello)
        if let reason = self.loop.refusal(of: &credentials, hello.token, self) {
            self.handshake.refused()
            return self.refuse(reason, after: Self.refusalPause)
        }
        let introduction = Introduction(hello, peer: self.peer, transport: self.transport, credentials: credentials)
        self.welcome(hello, introduction)
    }

    private func welcome(_ hello: Hello, _ introduction: Introduction) {
        // A WebSocket has a compression of its own kind.
        var deflate = hello.deflate
        if case .webSocket(let side) = self.dialect {
            deflate = false
            side.reader.maximumBytes = self.loop.configuration.maximumFrameBytes
        }
        self.input.welcomed(maximumBytes: self.loop.configuration.maximumFrameBytes, inflates: deflate)
        self.heartbeat = HeartbeatStateMachine(interval: self.loop.configuration.heartbeat, at: self.loop.now)
        self.beginsPace(of: introduction.credentials)
        // The bytes behind the hello have come already.
        self.paced?.pace.received(self.input.unread.readableBytes + self.dialect.keptBytes)
        self.write(FrameBytes(.welcome(self.loop.welcome(deflate: deflate))))
        self.announce(introduction)
    }

    /// Announces the client to the host.
    func announce(_ introduction: Introduction) {
        self.loop.submit(.welcomed(introduction), of: self)
        self.loop.logger.debug(
            "welcomed",
            metadata: self.logged.merging([
                "name": "\(introduction.name ?? "-")", "agent": "\(introduction.agent ?? "-")",
                "certificate": "\(self.certificateName ?? "-")",
                "principal": "\(self.loop.principal(of: introduction.credentials) ?? "-")",
            ]) { $1 }
        )
    }
}

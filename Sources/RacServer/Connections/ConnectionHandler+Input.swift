import NIOCore
import RacProtocol

extension ConnectionHandler {
    /// The client has sent more.
    func received(_ bytes: ByteBuffer) {
        guard self.closing.isOpen, !self.loop.isStopping else { return }
        self.loop.enterTick()
        // Only hello counts before the welcome: a byte now and then must not keep a connection.
        if self.handshake.isWelcomed { self.heartbeat.heard(at: self.loop.now) }
        if self.unread.readableBytes == 0 {
            self.unread = bytes
        } else {
            self.unread.writeImmutableBuffer(bytes)
        }
        if !self.isHeld { self.readFrames() }
        self.tellHeldBytes()
    }

    /// The client has no more to say; it gets what is due and then the end.
    func inputClosed() {
        switch self.closing.inputClosed() {
        case .drain: self.drain()
        case .close: self.close()
        case .nothing: break
        }
    }

    /// The host has taken so much of what the client said.
    func took(_ bytes: Int) {
        self.window.taken(bytes)
        guard self.isHeld, self.window.isOpen, !self.loop.isStopping else { return }
        self.isHeld = false
        self.readFrames()
        self.tellHeldBytes()
        self.drain()
        if !self.isHeld { self.context?.read() }
    }

    /// Takes no more from the client: what it still sends is read and dropped.
    func stopListening() {
        self.unread = ByteBuffer()
        self.tellHeldBytes()
        guard self.isHeld else { return }
        self.isHeld = false
        self.context?.read()
    }

    private func readFrames() {
        do throws(FrameError) {
            while !self.isHeld, let payload = try self.reader.nextPayload(in: &self.unread) {
                self.received(payload: payload)
                self.isHeld = !self.window.isOpen
            }
        } catch {
            self.end(because: error.wireError)
        }
        if !self.isHeld { self.keepUnread() }
    }

    /// What is left is the beginning of a frame: it must not hold on to the frames before it.
    private func keepUnread() {
        if self.unread.readableBytes == 0 {
            self.unread = ByteBuffer()
        } else if self.unread.readerIndex > 0 {
            self.unread = ByteBuffer(bytes: self.unread.readableBytesView)
        }
    }

    private func received(payload: ByteBuffer) {
        do throws(MessageError) {
            let message = try ClientMessage(payload: payload)
            switch self.handshake.received(message) {
            case .pass: self.pass(.message(message), payload.readableBytes)
            case .welcome(let hello): self.welcome(hello)
            case .end(let error): self.end(because: error)
            }
        } catch {
            switch self.handshake.received(error) {
            case .end(let error): self.end(because: error)
            case .pass, .welcome: self.pass(.fault(error), payload.readableBytes)
            }
        }
    }

    private func pass(_ meaning: ClientWords.Meaning, _ bytes: Int) {
        self.window.sent(bytes)
        self.loop.tell(.said(ClientWords(meaning: meaning, bytes: bytes)), of: self)
    }

    private func welcome(_ hello: Hello) {
        self.reader = FrameReader(
            maximumBytes: self.loop.configuration.maximumFrameBytes,
            inflates: hello.deflate
        )
        self.heartbeat = HeartbeatStateMachine(interval: self.loop.configuration.heartbeat, at: self.loop.now)
        self.write(FrameBytes(.welcome(self.loop.welcome(deflate: hello.deflate))))
        self.loop.tell(.welcomed(session: hello.session, agent: hello.agent), of: self)
    }
}

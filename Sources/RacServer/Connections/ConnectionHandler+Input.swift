import NIOCore
import RacHost
import RacProtocol

extension ConnectionHandler {
    /// The client has sent more.
    func received(_ bytes: ByteBuffer) {
        guard self.closing.isOpen, !self.shell.isStopping else { return }
        self.shell.enterTick()
        // Only hello counts before the welcome: a byte now and then must not keep a connection.
        if self.handshake.isWelcomed { self.heartbeat.heard(at: self.shell.now.uptime) }
        if self.unread.readableBytes == 0 {
            self.unread = bytes
        } else {
            self.unread.writeImmutableBuffer(bytes)
        }
        if !self.isHeld { self.readFrames() }
        self.countHeldBytes()
    }

    /// The client has no more to say; it gets what is due and then the end.
    func inputClosed() {
        switch self.closing.inputClosed() {
        case .drain: self.shell.drains(self)
        case .close: self.close()
        case .nothing: break
        }
    }

    /// Goes on reading requests once their answers have left.
    func resume() {
        guard self.isHeld, !self.hasTooMuchToSay, !self.shell.isStopping else { return }
        self.isHeld = false
        self.shell.enterTick()
        self.readFrames()
        if self.closing.isDraining { self.shell.drains(self) }
        if !self.isHeld { self.context?.read() }
    }

    /// Takes no more from the client: what it still sends is read and dropped.
    func stopListening() {
        self.unread = ByteBuffer()
        self.countHeldBytes()
        guard self.isHeld else { return }
        self.isHeld = false
        self.context?.read()
    }

    private var hasTooMuchToSay: Bool { (self.hosted?.outgoingBytes ?? 0) > Self.pauseBytes }

    private func readFrames() {
        do throws(FrameError) {
            while !self.isHeld, let payload = try self.reader.nextPayload(in: &self.unread) {
                self.received(payload: payload)
                self.isHeld = self.hasTooMuchToSay
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
        let message: ClientMessage
        do throws(MessageError) {
            message = try ClientMessage(payload: payload)
        } catch {
            return self.received(fault: error)
        }
        switch self.handshake.received(message) {
        case .pass:
            guard let hosted = self.hosted else { return }
            self.shell.host.received(message, from: hosted)
        case .welcome(let hello): self.welcome(hello)
        case .end(let error): self.end(because: error)
        }
    }

    private func received(fault: MessageError) {
        switch self.handshake.received(fault) {
        case .end(let error): self.end(because: error)
        case .pass, .welcome:
            guard let hosted = self.hosted else { return }
            self.shell.host.received(fault, from: hosted)
        }
    }

    private func welcome(_ hello: Hello) {
        self.reader = FrameReader(
            maximumBytes: self.shell.configuration.maximumFrameBytes,
            inflates: hello.deflate
        )
        self.heartbeat = HeartbeatStateMachine(
            interval: self.shell.configuration.heartbeat,
            at: self.shell.now.uptime
        )
        self.write(FrameBytes(.welcome(self.shell.welcome(deflate: hello.deflate))))
        self.hosted = self.shell.host.connected(self.id, session: hello.session)
    }
}

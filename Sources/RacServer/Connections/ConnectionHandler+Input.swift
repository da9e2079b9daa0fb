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
        if self.reading == .held, self.window.isOpen { self.readOn() }
    }

    /// It is the client's turn to have more inflated.
    func turnCame() {
        if self.reading == .queued { self.readOn() }
    }

    private func readOn() {
        guard !self.loop.isStopping else { return }
        self.reading = .on
        self.readFrames()
        self.tellHeldBytes()
        self.drain()
        if !self.isHeld { self.context?.read() }
    }

    /// Takes no more from the client: what it still sends is read and dropped.
    func stopListening() {
        self.unread = ByteBuffer()
        self.inflation = nil
        self.loop.inflatesNoMore(for: self)
        self.tellHeldBytes()
        guard self.isHeld else { return }
        self.reading = .on
        self.context?.read()
    }

    private func readFrames() {
        do throws(FrameError) {
            while true {
                self.readSends()
                guard !self.isHeld, let payload = try self.nextPayload() else { break }
                self.received(payload: payload)
                self.reading = self.window.isOpen ? .on : .held
            }
        } catch {
            self.end(because: error.wireError)
        }
        if !self.isHeld { self.keepUnread() }
    }

    /// Values are what clients send most: those that stand one behind the other are passed on together.
    private func readSends() {
        guard self.unread.readableBytes > 0, self.handshake.isWelcomed, !self.isHeld, case nil = self.inflation
        else { return }
        let buffer = self.unread
        let bytes = buffer.readableBytesUInt8Span
        var sends = PlainSends(of: buffer, longestPayload: self.reader.maximumBytes, limit: self.window.room)
        self.loop.pass(&sends, in: bytes, from: self)
        guard sends.end > 0 else { return }
        self.unread.moveReaderIndex(forwardBy: sends.end)
        self.window.sent(sends.payloadBytes)
        self.reading = self.window.isOpen ? .on : .held
    }

    /// The payload of the next frame; none if it is not there, or has to be inflated and that is not its turn.
    private func nextPayload() throws(FrameError) -> ByteBuffer? {
        guard self.inflation != nil || self.reader.mustInflate(self.unread) else {
            return try self.reader.nextPayload(in: &self.unread)
        }
        let room = self.loop.roomToInflate(for: self)
        guard room > 0 else {
            self.reading = .queued
            return nil
        }
        do throws(FrameError) {
            if self.inflation == nil { self.inflation = try self.reader.nextInflation(in: &self.unread) }
            return try self.inflate(atMost: room)
        } catch {
            // Up to where the fault is.
            self.loop.inflated(room, for: self, isWhole: true)
            throw error
        }
    }

    /// Inflates more of the frame that was begun; tells its payload when that is all.
    private func inflate(atMost room: Int) throws(FrameError) -> ByteBuffer? {
        guard let (progress, bytes) = try self.inflation?.inflate(atMost: room) else { return nil }
        switch progress {
        case .begun:
            self.loop.inflated(bytes, for: self, isWhole: false)
            self.reading = .queued
            return nil
        case .whole(let payload):
            self.inflation = nil
            self.loop.inflated(bytes, for: self, isWhole: true)
            return payload
        }
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
        guard self.handshake.isWelcomed else { return self.greeted(ClientWords(payload)) }
        self.pass(ClientWords(payload))
    }

    private func greeted(_ words: ClientWords) {
        let outcome =
            switch words.meaning {
            case .message(let message): self.handshake.received(message)
            case .fault(let fault): self.handshake.received(fault)
            }
        switch outcome {
        case .pass: self.pass(words)
        case .welcome(let hello): self.welcome(hello)
        case .end(let error): self.end(because: error)
        }
    }

    private func pass(_ words: consuming ClientWords) {
        self.window.sent(words.bytes)
        self.loop.pass(words, of: self)
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

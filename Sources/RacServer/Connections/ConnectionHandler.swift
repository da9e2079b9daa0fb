import Logging
import NIOCore
import RacHost
import RacProtocol

/// One client's connection: frames in, decisions by the host, bytes out.
///
/// Isolation: the connection's event loop, which is the host's too.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// While more bytes of answers than this wait for the client to read, its requests wait too.
    private static let pauseBytes = 1 << 20

    /// How long a connection that was ended may take to read the reason, in milliseconds.
    private static let lingerTime: UInt64 = 1_000

    /// Payloads from here on are compressed for a client that agreed to it.
    private static let deflateThreshold = 1 << 10

    let id: ConnectionID
    private let shell: HostShell
    private var context: ChannelHandlerContext?
    private var reader = FrameReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes, inflates: false)
    private var handshake = HandshakeStateMachine()
    private var heartbeat: HeartbeatStateMachine
    private var hosted: HostedConnection?
    private var unread = ByteBuffer()
    private var wantsRead = false
    /// When a connection that is being ended is closed for good.
    private var closesAt: UInt64?

    init(id: ConnectionID, shell: HostShell) {
        self.id = id
        self.shell = shell
        self.heartbeat = HeartbeatStateMachine(interval: shell.configuration.helloTimeout, at: shell.now.uptime)
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        if let refusal = self.shell.opened(self) { self.end(because: refusal) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.shell.closed(self, self.hosted)
        self.hosted = nil
        self.context = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.shell.logger.debug("a connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

// MARK: In

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.closesAt == nil, !self.shell.isStopping else { return }
        self.shell.enterTick()
        self.heartbeat.heard(at: self.shell.now.uptime)
        var bytes = self.unwrapInboundIn(data)
        if self.unread.readableBytes == 0 {
            self.unread = bytes
        } else {
            self.unread.writeBuffer(&bytes)
        }
        self.readFrames()
    }

    /// Holds back reading while the client does not read its answers.
    func read(context: ChannelHandlerContext) {
        guard !self.isPaused else {
            self.wantsRead = true
            return
        }
        context.read()
    }

    private var isPaused: Bool { (self.hosted?.outgoingBytes ?? 0) > Self.pauseBytes }

    private func readFrames() {
        do throws(FrameError) {
            while self.closesAt == nil, !self.isPaused, let payload = try self.reader.nextPayload(in: &self.unread) {
                self.received(payload)
            }
        } catch {
            self.end(because: error.wireError)
        }
        self.keepUnread()
    }

    /// What is left is the beginning of a frame: it must not hold on to the frames before it.
    private func keepUnread() {
        if self.unread.readableBytes == 0 || self.closesAt != nil {
            self.unread = ByteBuffer()
        } else if self.unread.readerIndex > 0, !self.isPaused {
            self.unread = ByteBuffer(bytes: self.unread.readableBytesView)
        }
    }

    private func received(_ payload: ByteBuffer) {
        let message: ClientMessage
        do throws(MessageError) {
            message = try ClientMessage(payload: payload)
        } catch {
            return self.received(error)
        }
        switch self.handshake.received(message) {
        case .pass:
            guard let hosted = self.hosted else { return }
            self.shell.host.received(message, from: hosted)
        case .welcome(let hello): self.welcome(hello)
        case .end(let error): self.end(because: error)
        }
    }

    private func received(_ fault: MessageError) {
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
        self.context?.flush()
    }

    /// The client has no more to say; it gets what is due and then the end.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            if self.closesAt == nil { self.shell.ends(self.id) } else { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }
}

// MARK: Out

extension ConnectionHandler {
    /// Writes what the host has for the connection, in one go.
    func writeOutput(of hosted: HostedConnection) {
        guard self.closesAt == nil, let context = self.context else { return }
        let output = self.shell.host.takeOutput(of: hosted)
        guard !output.isEmpty else { return }
        for frames in output { self.write(frames) }
        context.flush()
        self.noteWritability(context)
        self.resume()
    }

    private func write(_ frames: FrameBytes) {
        guard let context else { return }
        let frames = self.reader.inflates ? frames.deflated(from: Self.deflateThreshold) : frames
        context.write(self.wrapOutboundOut(frames.bytes), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.shell.enterTick()
        self.noteWritability(context)
        context.fireChannelWritabilityChanged()
    }

    private func noteWritability(_ context: ChannelHandlerContext) {
        guard let hosted = self.hosted else { return }
        self.shell.host.setWritable(hosted, context.channel.isWritable)
    }

    /// Goes on reading requests once their answers have left.
    private func resume() {
        guard !self.isPaused, self.unread.readableBytes > 0 || self.wantsRead else { return }
        self.shell.enterTick()
        self.readFrames()
        guard self.wantsRead, !self.isPaused else { return }
        self.wantsRead = false
        self.context?.read()
    }

    /// Tells the client why its connection ends, and ends it.
    func end(because error: WireError) {
        self.write(FrameBytes(.refused(nil, Refusal(error))))
        self.end()
    }

    /// Ends the connection at once.
    func close() {
        self.context?.close(promise: nil)
    }

    /// Ends the connection after what was written.
    ///
    /// Half-close first: a full close drops what the kernel has not sent yet, the `refused` among it.
    func end() {
        guard self.closesAt == nil, let context = self.context else { return }
        self.closesAt = self.shell.now.uptime + Self.lingerTime
        self.unread = ByteBuffer()
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.context?.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer()), promise: written)
    }
}

// MARK: Time

extension ConnectionHandler {
    /// Looks whether the client is still there; once a second or so.
    func ticked(at now: UInt64) {
        if let closesAt {
            if now >= closesAt { self.close() }
            return
        }
        switch self.heartbeat.ticked(at: now) {
        case .nothing: break
        case .ping where self.handshake.isWelcomed:
            self.write(FrameBytes(.ping))
            self.context?.flush()
        case .ping: self.end(because: WireError(.helloFirst, "no hello came in time"))
        case .end: self.close()
        }
    }
}

import Logging
import NIOCore
import RacHost
import RacProtocol

/// One client's connection: frames in, decisions by the host, bytes out.
///
/// Isolation: the connection's event loop, which is the host's too.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    /// While more bytes of answers than this wait for the client to read, its requests wait too.
    static let pauseBytes = 1 << 20

    /// How long a connection that was ended may take nothing of what is left to read, in milliseconds.
    static let lingerTime: UInt64 = 1_000

    let id: ConnectionID
    let shell: HostShell
    var context: ChannelHandlerContext?
    var outlet: Outlet?
    var reader = FrameReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes, inflates: false)
    var handshake = HandshakeStateMachine()
    var heartbeat: HeartbeatStateMachine
    var closing = ClosingStateMachine()
    var hosted: HostedConnection?

    /// Whether it is one of the connections that the daemon may have.
    var isAdmitted = false

    /// What came and was not taken yet: the beginning of a frame, or whole ones while the client is held.
    var unread = ByteBuffer()

    /// Whether the client's requests wait until it reads its answers.
    var isHeld = false

    /// Whether it has to go because the daemon keeps too much.
    var isLetGo = false

    /// What the socket had not taken when it was looked at last, in bytes.
    var unsentBytes = 0

    init(id: ConnectionID, shell: HostShell) {
        self.id = id
        self.shell = shell
        self.heartbeat = HeartbeatStateMachine(interval: shell.configuration.helloTimeout, at: shell.now.uptime)
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        self.outlet = Outlet(context) { self.countHeldBytes() }
        if let refusal = self.shell.opened(self) { self.end(because: refusal) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.shell.closed(self, self.hosted)
        self.hosted = nil
        self.context = nil
        self.outlet = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.shell.logger.debug("a connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.received(self.unwrapInboundIn(data))
    }

    /// Holds back reading while the client does not read its answers.
    func read(context: ChannelHandlerContext) {
        if !self.isHeld { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if let hosted = self.hosted {
            self.shell.enterTick()
            self.shell.host.setWritable(hosted, context.channel.isWritable)
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent { self.inputClosed() }
        context.fireUserInboundEventTriggered(event)
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

// MARK: Time

extension ConnectionHandler {
    /// Looks whether the client is still there; once a second or so.
    func ticked(at now: UInt64) {
        if self.readsOn { self.heartbeat.heard(at: now) }
        switch self.heartbeat.ticked(at: now) {
        case .nothing: break
        case .ping where self.closing.isEnded: self.close()
        case .ping where self.handshake.isWelcomed: self.ping()
        case .ping: self.end(because: WireError(.helloFirst, "no hello came in time"))
        case .end: self.close()
        }
    }

    /// Whether the client has read more of a lot that waits for it.
    ///
    /// Its pongs may wait behind that for longer than it may be silent.
    private var readsOn: Bool {
        guard let channel = self.context?.channel else { return false }
        let before = self.unsentBytes
        // What little waits below the limit of writability is not worth asking for.
        self.unsentBytes =
            channel.isWritable ? 0 : (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return self.unsentBytes < before
    }
}

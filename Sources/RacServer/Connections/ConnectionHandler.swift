import Logging
import NIOCore
import RacHost
import RacProtocol

/// One client's connection: frames in, decisions by the host, bytes out.
///
/// Isolation: the connection's event loop, which may be the host's too.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    /// How long a connection that was ended may take nothing of what is left to read, in milliseconds.
    static let lingerTime: UInt64 = 1_000

    let id: ConnectionID
    let loop: ConnectionLoop
    var context: ChannelHandlerContext?
    var outlet: Outlet?
    private var outletWay = Outlet.Way.pipeline
    var reader = FrameReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes, inflates: false)
    var handshake = HandshakeStateMachine()
    var heartbeat: HeartbeatStateMachine
    var closing = ClosingStateMachine()

    /// What the host's shell knows it as, if that is on the same loop.
    var peer: Peer?

    /// How far the client is ahead of the host.
    var window = FlowWindow(limit: FlowWindow.aheadBytes)

    /// What was written for the host.
    var receipt = FlowReceipt(threshold: FlowReceipt.writtenBytes)

    /// Whether it is one of the connections that the daemon may have.
    var isAdmitted = false

    /// What came and was not taken yet: the beginning of a frame, or whole ones while the client is held.
    var unread = ByteBuffer()

    /// A compressed frame that is inflated piece by piece.
    var inflation: Inflation?

    /// Whether the client is read.
    var reading = Reading.on

    /// What the host was told that is kept here for the connection, in bytes.
    var toldHeldBytes = 0

    /// What the socket had not taken when it was looked at last, in bytes.
    var unsentBytes = 0

    /// Whether a client is read, or what that waits for.
    enum Reading {
        case on
        /// The host has to take what it said.
        case held
        /// So much was inflated, for it or others, that the rest has to wait for its turn.
        case queued
    }

    var isHeld: Bool { self.reading != .on }

    init(id: ConnectionID, loop: ConnectionLoop) {
        self.id = id
        self.loop = loop
        self.heartbeat = HeartbeatStateMachine(interval: loop.configuration.helloTimeout, at: loop.now)
    }

    /// Joins a new channel's pipeline behind the handlers of its transport, first the one at the socket.
    ///
    /// Bytes go straight into the socket only if there is no such handler: nothing else may join the pipeline later.
    func join(_ pipeline: ChannelPipeline.SynchronousOperations, behind transport: [any ChannelHandler]) throws {
        self.outletWay = transport.isEmpty ? .socket : .pipeline
        try pipeline.addHandlers(transport + [self])
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        self.outlet = Outlet(context, way: self.outletWay) { self.tellHeldBytes() }
        let refusal = self.loop.opened(self)
        self.isAdmitted = refusal == nil
        if let refusal { self.end(because: refusal) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if self.isAdmitted { self.loop.admission.leave() }
        if self.handshake.isWelcomed { self.loop.tell(.closed, of: self) }
        self.loop.closed(self)
        self.context = nil
        self.outlet = nil
        self.peer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.loop.logger.debug("a connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.received(self.unwrapInboundIn(data))
    }

    /// Holds back reading while what was read has not been taken.
    func read(context: ChannelHandlerContext) {
        if !self.isHeld { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if self.handshake.isWelcomed { self.loop.tell(.isWritable(context.channel.isWritable), of: self) }
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
        if self.readsOn || self.reading == .queued { self.heartbeat.heard(at: now) }
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

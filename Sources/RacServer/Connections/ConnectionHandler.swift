import Logging
import NIOCore
import NIOTLS
import RacAccess
import RacHost
import RacProtocol

/// One client's connection: the socket with TLS, its time, its end, and what the host knows of it.
///
/// The client's bytes go to a ``Conversation``, which submits messages to the host and sends the host's output here.
///
/// Isolation: the connection's event loop, which may be the host's too.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    /// The longest time, in milliseconds, that an ended connection stays while its client reads nothing.
    static let lingerTime: UInt64 = 1_000

    /// The time until a client that the rules do not accept learns of that.
    static let refusalPause = TimeAmount.seconds(1)

    /// The kept bytes of a client from which the system's buffer for it is bounded, if it has to wait: half a read.
    private static let keptBytesOfFlood = 32 << 10

    /// The bound of that buffer, which the system doubles; half of the double is for its own accounts.
    private static let receiveBufferBytes = SocketOptionValue(256 << 10)

    /// Given by the loop when the connection opens.
    var id = ConnectionID(0)

    let loop: ConnectionLoop
    /// Reads the client's bytes and writes the host's output; nil before the channel is active, and after its end.
    var conversation: (any Conversation)?
    var context: ChannelHandlerContext?
    var outlet: Outlet?
    private var outletWay = Outlet.Way.pipeline
    var heartbeat: HeartbeatStateMachine
    var closing = ClosingStateMachine()

    /// The reading of a client with a bounded rate; nil for all others.
    var paced: PacedReading?

    /// The units that reading its bytes has cost in this turn.
    var share = WorkTurn.Share()

    /// Whether the host knows the client.
    private(set) var isWelcomed = false

    /// Whether it counts among the connections that the daemon may have.
    var isAdmitted = false

    var reported = ReportedState()

    private(set) var tls = ConnectionTLS()

    /// Whether the channel asked for a read while the client had to wait.
    private var owesRead = false

    /// Whether the system's buffer for the client's bytes has a bound.
    private var isReceiveBufferBounded = false

    /// The first reason for the end of the connection, for the log; nil while there is none.
    private var ending: String?

    /// The bytes that the socket had not taken at the last sweep.
    var unsentBytes = 0

    init(loop: ConnectionLoop) {
        self.loop = loop
        self.heartbeat = HeartbeatStateMachine(interval: loop.configuration.helloTimeout, at: loop.now)
    }

    /// Joins a new channel's pipeline behind the handlers of its transport, first the one at the socket.
    ///
    /// Frames go straight into the socket only if there is no such handler: nothing else may join the pipeline later.
    func join(_ pipeline: ChannelPipeline.SynchronousOperations, behind transport: [any ChannelHandler]) throws {
        guard !transport.isEmpty else {
            self.outletWay = try .alone(self, in: pipeline)
            return
        }
        self.outletWay = try .behind(transport, self, in: pipeline)
        self.tls = ConnectionTLS(transport.lazy.compactMap { $0 as? TLSEntrance }.first)
        self.tls.entrance?.owner = self
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        self.outlet = Outlet(context, way: self.outletWay) {
            // The next answer may be gathered now, and only the end of a tick passes it on.
            self.loop.enterTick()
            self.wroteMore()
        }
        self.conversation = SilentConversation(self)
        let refusal = self.loop.opened(self)
        self.isAdmitted = refusal == nil
        self.loop.logger.debug("connected", metadata: self.logged)
        if let refusal { self.end(because: refusal) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if self.isAdmitted { self.loop.admission.leave() }
        if self.isWelcomed { self.loop.submit(.closed, of: self) }
        let reason: Logger.Metadata = ["reason": "\(self.ending ?? "closed")"]
        self.loop.logger.debug("disconnected", metadata: self.logged.merging(reason) { $1 })
        self.loop.closed(self)
        self.leavesAccount()
        self.context = nil
        self.outlet?.close()
        self.outlet = nil
        self.tls.close()
        self.conversation = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The end of the input follows: a client of TLS may hang up without a word, as all others may.
        if TLSLayer.isUncleanShutdown(error) { return }
        if let fault = self.findTLS(context)?.fault(of: error) {
            // The daemon may have ended it, and then has said why; the end of the bytes follows a failure.
            if self.tls.fails(), self.closing.isOpen { self.report(fault) }
            self.note("tls")
        } else {
            self.note("failed")
            self.loop.logger.debug("a connection failed", metadata: self.logged.merging(["error": "\(error)"]) { $1 })
        }
        self.close()
    }

    /// Keeps the reason for the end of the connection, unless there is one already.
    func note(_ reason: String) {
        self.ending = self.ending ?? reason
    }

    /// The client has said goodbye; it may have hung up before the host came to that.
    func noteBye() {
        self.ending = [nil, Self.hungUp].contains(self.ending) ? "bye" : self.ending
    }

    /// The reason of a client that closes its side.
    static let hungUp = "hung-up"

    /// The other end of the connection.
    var peer: PeerAddress? { (self.context?.channel).flatMap(PeerAddress.init) }

    /// Whether the client has come over a Unix socket.
    var isLocal: Bool {
        if case .unixDomainSocket? = self.context?.channel.localAddress { true } else { false }
    }

    /// The way of the client's messages, if they come in frames without anything around them.
    var transportOfFrames: Transport { self.isLocal ? .unix : self.tls.isOpen ? .tls : .tcp }

    /// The connection in log entries: its number in `who`, and its other end.
    var logged: Logger.Metadata {
        ["connection": .stringConvertible(self.id.number), "peer": "\(self.peer?.description ?? "-")"]
    }

    /// The connection in log entries about who the client is.
    var loggedWithCertificate: Logger.Metadata {
        guard let name = self.tls.certificateName else { return self.logged }
        return self.logged.merging(["certificate": "\(name)"]) { $1 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.loop.polled()
        guard self.closing.isOpen, !self.loop.isStopping else { return }
        self.loop.enterTick()
        if self.isWelcomed { self.loop.hasTraffic = true }
        self.conversation?.received(self.unwrapInboundIn(data))
    }

    /// Reads no more while the client has to wait.
    func read(context: ChannelHandlerContext) {
        guard let conversation, conversation.isHeld, !conversation.waitsWithFew else { return context.read() }
        self.owesRead = true
        if conversation.keptBytes >= Self.keptBytesOfFlood { self.boundReceiveBuffer(context.channel) }
    }

    /// Bounds the bytes that the system takes for a client that has to wait, and has sent much.
    ///
    /// When a client hangs up, the channel reads all of them at once. The system would take 32 MiB of a client that was read
    /// fast before. Other clients keep the buffer that the system finds right: a short one costs them a tenth of their time.
    private func boundReceiveBuffer(_ channel: any Channel) {
        guard !self.isReceiveBufferBounded else { return }
        self.isReceiveBufferBounded = true
        // A transport without sockets of the system has no such buffer.
        try? channel.syncOptions?.setOption(.socketOption(.so_rcvbuf), value: Self.receiveBufferBytes)
    }

    /// Reads on, unless the client has to wait.
    func resumeReading() {
        guard self.owesRead, self.conversation?.isHeld == false else { return }
        self.owesRead = false
        self.context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.tellWritable()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            // A parser that has seen the end of the input would parse nothing of what had come before.
            return self.conversation?.inputClosed() ?? ()
        case TLSUserEvent.handshakeCompleted: self.handshakeCompleted(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

// MARK: Who the client is

extension ConnectionHandler {
    /// The proofs of the client's identity, with a token.
    func credentials(token: TokenHash?) -> Credentials {
        var credentials = Credentials(token: token, certificate: self.tls.certificateName)
        if case .unix(_, let user?) = self.peer { credentials.unixUser = user }
        return credentials
    }

    /// The proofs that outlast the connection, in a session of a page: a certificate counts in them as long as it is good.
    func lastingCredentials(token: TokenHash?) -> Credentials {
        var credentials = self.credentials(token: token)
        credentials.certificateTerm = self.tls.certificateTerm
        return credentials
    }

    /// The host gets to know the client.
    func announce(_ introduction: Introduction) {
        self.isWelcomed = true
        self.loop.submit(.welcomed(introduction), of: self)
        self.loop.logger.debug(
            "welcomed",
            metadata: self.logged.merging([
                "name": "\(introduction.name ?? "-")", "agent": "\(introduction.agent ?? "-")",
                "certificate": "\(self.tls.certificateName ?? "-")",
                "principal": "\(self.loop.principal(of: introduction.credentials) ?? "-")",
            ]) { $1 }
        )
    }

    /// The host forgets the client: the next request may be that of another one.
    ///
    /// No bytes wait for the client then, so no turn has the old number.
    func forgetClient() {
        guard self.isWelcomed else { return }
        self.loop.submit(.closed, of: self)
        self.isWelcomed = false
        self.loop.renumber(self)
        self.leavesAccount()
        self.reported = ReportedState()
    }
}

// MARK: TLS

extension ConnectionHandler: TLSEntranceOwner {
    func handshakeMayGoOn() -> Bool {
        self.loop.polled()
        self.loop.enterTick()
        return self.loop.admitsHandshake(of: self)
    }

    func handshakeTook(_ nanoseconds: Int64) {
        self.loop.handshakes.spend(nanoseconds)
    }

    func plainBytesCame(_ bytes: ByteBuffer) {
        guard ProxyProtocol.begins(bytes) else { return self.report(.noTLS) }
        self.loop.report("a TLS handshake failed", TLSFault.noTLS.ofClient.code, ProxyProtocol.help, of: self)
    }

    func isPlain() {
        self.tls.leave()
    }

    private func handshakeCompleted(_ context: ChannelHandlerContext) {
        let entrance = self.tls.opened(TLSLayer(context))
        self.outlet?.tls = self.tls.layer
        entrance?.open()
    }

    private func report(_ fault: TLSFault) {
        let (code, reason) = fault.ofClient
        self.loop.report("a TLS handshake failed", code, reason, of: self)
    }

    /// Ends the connection at once.
    ///
    /// Past the handler of TLS, which would wait for the client's goodbye.
    func close() {
        guard let context else { return }
        (self.findTLS(context)?.context ?? context).close(promise: nil)
    }

    private func findTLS(_ context: ChannelHandlerContext) -> TLSLayer? { self.tls.layer ?? TLSLayer(context) }
}

// MARK: Time

extension ConnectionHandler {
    /// Lets the conversation judge how long the client has been silent; called by the loop's sweep, about once a second.
    func ticked(at now: UInt64) { self.conversation?.ticked(at: now) }

    /// Pings a silent client and ends one that stays silent.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isRead: Whether the client's bytes are read.
    ///   - ping: Asks the client for a sign of life.
    func judgeSilence(at now: UInt64, isRead: Bool, _ ping: () -> Void) {
        switch self.heartbeat.ticked(at: now, isRead: isRead) {
        case .nothing: break
        case .ping where self.closing.isEnded: self.close()
        case .ping where self.isWelcomed: ping()
        case .ping: self.end(because: WireError(.helloFirst, "no hello came in time"))
        case .end:
            self.note("silent")
            self.close()
        }
    }

    /// Whether the client has read more of a backlog since the last sweep.
    ///
    /// Its pongs may stay behind that backlog for longer than a client may be silent.
    var readsOn: Bool {
        guard let channel = self.context?.channel else { return false }
        let before = self.unsentBytes
        // A backlog below the limit of writability is too short to ask the channel for.
        let buffered = channel.isWritable ? 0 : (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        self.unsentBytes = buffered + (self.outlet?.backlogBytes ?? 0)
        return self.unsentBytes < before
    }
}

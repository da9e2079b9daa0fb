import NIOCore
import RacAccess
import RacProtocol

/// The connection of a ``TLSEntrance``.
protocol TLSEntranceOwner: AnyObject {
    /// Whether the next step of the handshake may happen now; if not, ``TLSEntrance/turnCame()`` follows.
    func handshakeMayGoOn() -> Bool
    /// A step of the handshake has taken this many nanoseconds.
    func handshakeTook(_ nanoseconds: Int64)
    /// The client's first bytes begin no TLS, which this address demands.
    func plainBytesCame(_ bytes: ByteBuffer)
    /// The client speaks in plain bytes, which this address allows.
    func isPlain()
}

/// Stands at the socket of a new connection until the TLS handshake is over.
///
/// It decides by the first byte. It makes no TLS state before that byte, so that silent connections take no memory for it. A
/// step of a handshake computes for a fraction of a millisecond, so steps wait for their turn. Meanwhile a client with many
/// bytes is not read. No byte leaves before the handler of TLS is there.
///
/// Isolation: the connection's event loop.
final class TLSEntrance: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The client is read while no more bytes than these wait for a turn.
    private static let fewBytes = 4 << 10

    /// A new handler of TLS, and the authorities by which it judges the client.
    typealias Layer = (handler: any ChannelHandler, clientAuthorities: ClientAuthorities?)

    private enum State {
        case deciding
        case handshaking
        case open
    }

    /// Let go when the entrance leaves the pipeline.
    ///
    /// A weak reference would make each later use of the connection dearer, for as long as it lives.
    var owner: (any TLSEntranceOwner)?

    private let allowsPlain: Bool
    /// The authorities of the address at the beginning of the handshake, if it asks for certificates.
    private(set) var clientAuthorities: ClientAuthorities?

    private let makesTLS: () throws -> Layer
    private var context: ChannelHandlerContext?
    private var state = State.deciding
    private var hasTLS = false
    /// The client's bytes that wait for a turn.
    private var waiting: ByteBuffer?
    private var isReadHeld = false
    private var isPassing = false

    init(allowsPlain: Bool, _ makesTLS: @escaping () throws -> Layer) {
        self.allowsPlain = allowsPlain
        self.makesTLS = makesTLS
    }

    /// The turn of the handshake has come.
    func turnCame() {
        guard self.waiting != nil, let context else { return }
        // The step may be the last one, after which the entrance has no context any more.
        let pipeline = context.pipeline.syncOperations
        self.step()
        guard self.isReadHeld else { return }
        self.isReadHeld = false
        pipeline.read()
    }

    /// The handshake is over: the entrance leaves the pipeline.
    func open() {
        self.state = .open
        if !self.isPassing { self.leave() }
    }

    private func step() {
        guard let context, let bytes = self.waiting else { return }
        self.waiting = nil
        // The last step ends with the entrance outside the pipeline.
        let owner = self.owner
        let start = NIODeadline.now()
        do {
            try self.addTLS(context)
        } catch {
            return context.close(promise: nil)
        }
        self.forward(bytes, context)
        owner?.handshakeTook((NIODeadline.now() - start).nanoseconds)
    }

    private func addTLS(_ context: ChannelHandlerContext) throws {
        guard !self.hasTLS else { return }
        let layer = try self.makesTLS()
        self.clientAuthorities = layer.clientAuthorities
        try context.pipeline.syncOperations.addHandler(layer.handler, position: .after(self))
        self.hasTLS = true
    }

    private func forward(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        self.isPassing = true
        context.fireChannelRead(self.wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        self.isPassing = false
        if case .open = self.state { self.leave() }
    }

    private func leave() {
        guard let context else { return }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

@available(*, unavailable)
extension TLSEntrance: Sendable {}

// MARK: Events of the channel

extension TLSEntrance {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.owner = nil
        self.waiting = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        switch self.state {
        case .open: context.fireChannelRead(data)
        case .handshaking:
            guard self.waiting?.writeBuffer(&bytes) == nil else { return }
            self.waiting = bytes
            self.goOn()
        case .deciding:
            guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
            if first == TLSRecord.handshake {
                self.state = .handshaking
                self.waiting = bytes
                self.goOn()
            } else if self.allowsPlain {
                self.state = .open
                self.owner?.isPlain()
                self.forward(bytes, context)
            } else {
                self.refuse(bytes, context)
            }
        }
    }

    private func goOn() {
        if self.owner?.handshakeMayGoOn() == true { self.step() }
    }

    private func refuse(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        self.owner?.plainBytesCame(bytes)
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(bytes: TLSRecord.refusal)), promise: nil)
        context.close(promise: nil)
    }

    /// A step reports the end of its read itself.
    func channelReadComplete(context: ChannelHandlerContext) {
        if case .open = self.state { context.fireChannelReadComplete() }
    }

    /// Reads on while few bytes wait: mostly none come, and to stop reading takes two system calls.
    func read(context: ChannelHandlerContext) {
        let isFew = (self.waiting?.readableBytes ?? 0) <= Self.fewBytes
        if isFew { context.read() } else { self.isReadHeld = true }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard self.mayWrite else {
            promise?.fail(ChannelError.operationUnsupported)
            return
        }
        context.write(data, promise: promise)
    }

    /// Whether bytes may leave: they come from the handler of TLS, or the client has chosen plain bytes.
    private var mayWrite: Bool {
        if case .open = self.state { true } else { self.hasTLS }
    }
}

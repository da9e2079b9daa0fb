import Glibc
import NIOCore

/// Stands at a listening socket: clients wait there while the daemon has as many sockets as it may.
///
/// Each connection takes a descriptor, and the daemon needs some for its files. A flood of clients must not keep it from reading
/// its tokens. If the system has no descriptor, or no memory, the gate waits for a moment.
///
/// Isolation: the listener's event loop.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    private static let pause = TimeAmount.milliseconds(100)
    private static let shortages = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let admission: Admission
    private var context: ChannelHandlerContext?
    private var isPausing = false
    /// Whether the channel has asked for clients, and gets none yet.
    private var owesRead = false

    init(_ admission: Admission) {
        self.admission = admission
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.admission.accepted()
        self.unwrapInboundIn(data).closeFuture.whenComplete { [admission] _ in admission.closed() }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        let isOpen = !self.isPausing && self.admission.mayAccept(orCall: LoopReference(self, on: context.eventLoop))
        self.owesRead = !isOpen
        if isOpen { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, Self.shortages.contains(code) else {
            return context.fireErrorCaught(error)
        }
        guard !self.isPausing else { return }
        self.isPausing = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            self.goOn()
        }
    }

    /// Accepts clients again, if the channel has asked for them.
    func goOn() {
        guard self.owesRead, let context else { return }
        self.read(context: context)
    }
}

@available(*, unavailable)
extension AcceptGate: Sendable {}

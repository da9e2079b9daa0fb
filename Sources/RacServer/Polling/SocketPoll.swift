import NIOCore

/// Notifies an event loop when it has polled its sockets again: the sockets that were ready are read in the same tick.
///
/// A task cannot tell it: a loop runs all tasks that are due before it polls, and due tasks may make others.
///
/// Isolation: its event loop.
final class SocketPoll: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var onPolled: (() -> Void)?

    /// Starts on an event loop, and ends with it.
    static func start(on loop: any EventLoop) async throws -> LoopReference<SocketPoll> {
        let channel = try await ReadableDescriptor.open(on: loop)
        return try await loop.submit {
            let poll = SocketPoll()
            try channel.pipeline.syncOperations.addHandler(poll)
            return LoopReference(poll, on: loop)
        }.get()
    }

    /// Calls the closure once, when the loop has polled its sockets; a later closure takes the place of this one.
    func next(_ then: @escaping () -> Void) {
        self.onPolled = then
        self.context?.read()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.onPolled = nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let onPolled = self.onPolled
        self.onPolled = nil
        onPolled?()
    }
}

@available(*, unavailable)
extension SocketPoll: Sendable {}

import NIOCore

/// Stands for a socket that takes no bytes until it is emptied.
final class FullSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var isFull = true
    private var waiting: [() -> Void] = []

    /// Whether bytes wait for room.
    var hasWaiting: Bool { !self.waiting.isEmpty }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard self.isFull else { return context.write(data, promise: promise) }
        self.waiting.append { context.writeAndFlush(data, promise: promise) }
    }

    /// Takes the bytes that wait, and all later ones at once.
    func empty() {
        self.isFull = false
        let waiting = self.waiting
        self.waiting = []
        for write in waiting { write() }
    }
}

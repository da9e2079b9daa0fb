import NIOCore

/// Stands for a socket that takes no bytes until it is emptied.
final class FullSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var isFull = true
    private var waiting: [() -> Void] = []
    private var promises: [EventLoopPromise<Void>?] = []

    /// The number of writes that have come.
    private(set) var count = 0

    /// Whether bytes wait for room.
    var hasWaiting: Bool { !self.waiting.isEmpty }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.count += 1
        guard self.isFull else { return context.write(data, promise: promise) }
        self.waiting.append { context.writeAndFlush(data, promise: promise) }
        self.promises.append(promise)
    }

    /// Takes the bytes that wait, and all later ones at once.
    func empty() {
        self.isFull = false
        let waiting = self.waiting
        self.waiting = []
        for write in waiting { write() }
    }

    /// Fails the writes that wait, as a channel does that closes.
    func fail() {
        self.waiting = []
        let promises = self.promises
        self.promises = []
        for promise in promises { promise?.fail(ChannelError.ioOnClosedChannel) }
    }
}

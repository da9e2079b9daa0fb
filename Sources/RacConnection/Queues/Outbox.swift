import NIOCore
import RacProtocol

/// The outgoing messages of a connection: they gather and are written together, once per tick of the event loop.
///
/// All state is used on the connection's event loop.
final class Outbox {
    private let maximumWaitingBytes: Int
    /// The longest payload that the daemon takes.
    var maximumFrameBytes: Int
    /// Called when there may be room again.
    var onRoom: () -> Void = {}
    private var context: ChannelHandlerContext?
    private var bytes = ByteBuffer()
    private var flushIsArranged = false

    init(limits: ConnectionLimits) {
        self.maximumWaitingBytes = limits.outgoingBytes
        self.maximumFrameBytes = limits.greetingBytes
    }

    func open(_ context: ChannelHandlerContext) {
        self.context = context
    }

    func close() {
        self.context = nil
        self.bytes.clear()
    }

    /// Whether a sender need not wait.
    var hasRoom: Bool {
        guard let context = self.context else { return true }
        return context.channel.isWritable && self.bytes.readableBytes < self.maximumWaitingBytes
    }

    /// Takes a message; the bytes go out with everything else of this tick.
    func write(_ message: ClientMessage) throws(ClientError) {
        let start = self.bytes.writerIndex
        message.write(to: &self.bytes)
        let length = self.bytes.writerIndex - start - FrameHeader.byteCount
        guard length <= self.maximumFrameBytes else {
            self.bytes.moveWriterIndex(to: start)
            throw ClientError(.tooLarge, "a message of \(length) bytes is longer than racd's \(self.maximumFrameBytes)")
        }
        self.arrangeFlush()
    }

    private func arrangeFlush() {
        guard !self.flushIsArranged, let context = self.context else { return }
        self.flushIsArranged = true
        context.eventLoop.assumeIsolated().execute { self.flush() }
    }

    func flush() {
        self.flushIsArranged = false
        guard let context = self.context, self.bytes.readableBytes > 0 else { return }
        context.writeAndFlush(NIOAny(self.bytes), promise: nil)
        self.bytes = ByteBuffer()
        if context.channel.isWritable { self.onRoom() }
    }
}

@available(*, unavailable)
extension Outbox: Sendable {}

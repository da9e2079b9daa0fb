import Glibc
import NIOCore

/// Stands at the socket of a pipeline with other handlers, such as TLS, and writes their bytes straight into the socket.
///
/// The channel's own way costs a tenth of a write for many connections. So the exit calls `send` itself as long as the
/// socket takes bytes. The channel gets the bytes that the socket did not take, and all later ones until it has written the
/// last of them. It also handles back-pressure, half-close and errors.
///
/// Isolation: the connection's event loop.
final class SocketExit: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Nil if every byte goes through the channel, as in a channel without a socket of the system's.
    private var socket: NIOBSDSocket.Handle?

    /// The number of writes that the channel has not finished.
    private var writes = 0

    /// Called once when the channel has finished all writes: whether it could.
    private var onThrough: ((Bool) -> Void)?

    /// Whether all bytes that came here are in the socket.
    var isThrough: Bool { self.writes == 0 }

    /// Calls the closure once when all bytes that came here are in the socket, or cannot go there; a later one replaces it.
    func whenThrough(_ then: @escaping (_ succeeded: Bool) -> Void) {
        self.onThrough = then
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
    }

    /// The number of a closed socket may belong to another one.
    func channelInactive(context: ChannelHandlerContext) {
        self.socket = nil
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = self.unwrapOutboundIn(data)
        if self.writes == 0 { self.send(&bytes) }
        guard self.writes > 0 || bytes.readableBytes > 0 else {
            promise?.succeed()
            return
        }
        self.writes += 1
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { outcome in
            self.writes -= 1
            guard self.writes == 0, let onThrough = self.onThrough else { return }
            self.onThrough = nil
            if case .success = outcome { onThrough(true) } else { onThrough(false) }
        }
        context.write(self.wrapOutboundOut(bytes), promise: written)
    }

    func flush(context: ChannelHandlerContext) {
        if self.writes > 0 { context.flush() }
    }

    /// Moves the bytes that the socket takes now out of the buffer.
    ///
    /// It takes none if the socket is full, or fails, which the channel then meets itself.
    private func send(_ bytes: inout ByteBuffer) {
        guard let socket, bytes.readableBytes > 0 else { return }
        let taken = bytes.withUnsafeReadableBytes { readable in
            Glibc.send(socket, readable.baseAddress, readable.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        bytes.moveReaderIndex(forwardBy: max(0, taken))
    }
}

@available(*, unavailable)
extension SocketExit: Sendable {}

import Glibc
import NIOCore
import RacProtocol

/// The way of a connection's bytes to its client: straight into the socket, or through the pipeline.
///
/// A write through the pipeline costs a microsecond before the system call, most of the price of a value for many
/// connections. So an outlet with the way ``Way/socket`` calls `send` itself as long as the socket takes bytes.
///
/// Bytes keep their order, because one of the two ways has bytes at a time. The pipeline gets the bytes that the socket
/// did not take, and all later ones until it has written the last of them. Back-pressure, half-close and errors stay the
/// pipeline's work, because the bytes that meet them are there.
///
/// An outlet must not be used after its channel became inactive: the number of a closed socket may belong to another one.
///
/// Isolation: the connection's event loop.
final class Outlet {
    /// The way that a listener chose for the connections of one of its addresses.
    enum Way {
        /// The connection's handler stands alone in its pipeline, so its bytes are those of the socket.
        case socket
        /// Other handlers, such as TLS, change the bytes before the socket: every byte passes them.
        case pipeline
    }

    private let context: ChannelHandlerContext
    /// Nil if every byte goes through the pipeline, as in a channel without a socket of the system's too.
    private let socket: NIOBSDSocket.Handle?

    private let onWritten: () -> Void

    /// The number of writes that the pipeline has not finished.
    private var waiting = 0

    /// The bytes of those writes.
    private(set) var waitingBytes = 0

    /// - Parameters:
    ///   - context: The context of the connection's handler.
    ///   - way: The way of the bytes.
    ///   - onWritten: Called when the pipeline has finished a write.
    init(_ context: ChannelHandlerContext, way: Way, onWritten: @escaping () -> Void) {
        self.context = context
        self.onWritten = onWritten
        self.socket =
            switch way {
            case .socket: try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
            case .pipeline: nil
            }
    }

    /// Writes frames behind all earlier ones.
    func write(_ frames: FrameBytes) {
        frames.withUnsafeBytes { bytes in
            let taken = self.send(bytes)
            if taken < bytes.count { self.handOver(ByteBuffer(bytes: bytes[taken...])) }
        }
    }

    /// Ends the stream behind all written bytes, then calls the closure.
    func end(_ then: @escaping () -> Void) {
        self.handOver(ByteBuffer()) {
            then()
            self.context.close(mode: .output, promise: nil)
        }
    }

    private func handOver(_ bytes: ByteBuffer, _ then: @escaping () -> Void = {}) {
        self.waiting += 1
        self.waitingBytes += bytes.readableBytes
        let written = self.context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.waiting -= 1
            self.waitingBytes -= bytes.readableBytes
            self.onWritten()
            then()
        }
        self.context.writeAndFlush(NIOAny(bytes), promise: written)
    }

    /// Sends bytes and returns the number that the socket took: 0 if it is full or fails, which the pipeline then meets itself.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let socket, self.waiting == 0 else { return 0 }
        return max(0, Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
}

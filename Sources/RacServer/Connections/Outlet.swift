import Glibc
import NIOCore
import RacProtocol

/// How bytes leave a connection: straight into its socket, and through the pipeline while the socket takes no more.
///
/// A write through the pipeline costs a microsecond before the system call, which is most of what a value for many
/// connections costs.
///
/// Order holds because only one of the two ways has bytes at a time: what the socket did not take goes to the pipeline, and
/// behind it goes everything until the pipeline has written the last of it. Back-pressure, half-close and errors are the
/// pipeline's, since the bytes that meet them are there. Without a socket of the system's, as in tests, all goes that way.
///
/// It must not be used when the channel is inactive, which is told in the same call in which the socket is closed: a closed
/// socket's number may be another's.
///
/// Isolation: the connection's event loop.
final class Outlet {
    private let context: ChannelHandlerContext
    private let socket: NIOBSDSocket.Handle?

    private let onWritten: () -> Void

    /// How often the pipeline was given bytes that it has not written.
    private var waiting = 0

    /// How many bytes that is.
    private(set) var waitingBytes = 0

    /// - Parameters:
    ///   - context: Where the pipeline begins.
    ///   - onWritten: Called when the pipeline has written what it was given.
    init(_ context: ChannelHandlerContext, onWritten: @escaping () -> Void) {
        self.context = context
        self.onWritten = onWritten
        self.socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
    }

    /// Writes these frames behind all that were written before.
    func write(_ frames: FrameBytes) {
        frames.withUnsafeBytes { bytes in
            let taken = self.send(bytes)
            if taken < bytes.count { self.handOver(ByteBuffer(bytes: bytes[taken...])) }
        }
    }

    /// Ends the stream behind all that was written, and then calls the closure.
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

    /// How much the socket takes at once: nothing if it is full or fails, which the pipeline then sees itself.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let socket, self.waiting == 0 else { return 0 }
        return max(0, Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
}

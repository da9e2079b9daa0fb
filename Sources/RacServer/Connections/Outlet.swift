import DequeModule
import Glibc
import NIOCore
import RacProtocol

/// The way of a connection's bytes to its client: straight into the socket, or through the pipeline.
///
/// A write through the pipeline costs a microsecond before the system call, most of the price of a value for many
/// connections. So an outlet with the way ``Way/socket`` calls `send` itself as long as the socket takes bytes.
///
/// Bytes keep their order, because one of the two ways has bytes at a time. The pipeline gets the bytes that the socket
/// did not take, and all later ones until it has written the last of them. The pipeline also
/// handles back-pressure, half-close and errors, because it has the bytes that wait.
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

    /// The pipeline copies what it gets, so it gets no more than this many bytes at a time.
    private static let chunkBytes = 256 << 10

    /// The number of writes that the pipeline has not finished.
    private var writes = 0

    /// The bytes of those writes.
    private var handedBytes = 0

    /// The frames behind those writes, which share their memory with other connections.
    private var backlog: Deque<FrameBytes> = []

    /// The bytes of those frames.
    private(set) var backlogBytes = 0

    /// Ends the stream behind the backlog.
    private var ending: (() -> Void)?

    /// The bytes that the socket has not taken.
    var waitingBytes: Int { self.handedBytes + self.backlogBytes }

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
        let taken = frames.withUnsafeBytes { self.send($0) }
        guard taken < frames.count else { return }
        self.keep(taken == 0 ? frames : frames.suffix(from: taken))
    }

    /// Ends the stream behind all written bytes, then calls the closure.
    func end(_ then: @escaping () -> Void) {
        self.ending = {
            self.handOver(ByteBuffer()) {
                then()
                self.context.close(mode: .output, promise: nil)
            }
        }
        self.handOn()
    }

    private func keep(_ frames: FrameBytes) {
        self.backlog.append(frames)
        self.backlogBytes += frames.count
        self.handOn()
    }

    /// Gives the pipeline bytes of the backlog while it has few, and the end behind the last of them.
    private func handOn() {
        while self.handedBytes < Self.chunkBytes, let frames = self.backlog.popFirst() {
            let count = min(frames.count, Self.chunkBytes)
            if count < frames.count { self.backlog.prepend(frames.suffix(from: count)) }
            self.backlogBytes -= count
            self.handOver(frames.withUnsafeBytes { ByteBuffer(bytes: $0[..<count]) }) {}
        }
        guard self.backlog.isEmpty, let ending else { return }
        self.ending = nil
        ending()
    }

    private func handOver(_ bytes: ByteBuffer, _ then: @escaping () -> Void) {
        self.writes += 1
        self.handedBytes += bytes.readableBytes
        let written = self.context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.writes -= 1
            self.handedBytes -= bytes.readableBytes
            self.handOn()
            self.onWritten()
            then()
        }
        self.context.writeAndFlush(NIOAny(bytes), promise: written)
    }

    /// Sends bytes and returns the number that the socket took: 0 if it is full or fails, which the pipeline then meets itself.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let socket, self.writes == 0, self.backlog.isEmpty else { return 0 }
        return max(0, Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
}

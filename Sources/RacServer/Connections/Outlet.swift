import DequeModule
import Glibc
import NIOCore
import RacProtocol

/// The way of a connection's bytes to its client: straight into the socket, or through the pipeline.
///
/// A write through the pipeline costs a microsecond before the system call, most of the price of a value for many
/// connections. So an outlet with the way ``Way/socket`` calls `send` itself as long as the socket takes bytes.
///
/// An outlet with the way through the pipeline gathers the frames of a tick instead, and passes them on together. TLS makes
/// one record for them, and the pipeline's ``SocketExit`` one system call.
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
    ///
    /// Only ``alone(_:in:)`` makes the way into the socket, so no outlet can have it behind a handler of TLS.
    struct Way {
        fileprivate let isSocket: Bool
        /// The end of the pipeline at the socket, if the outlet learns from it when bytes are through.
        fileprivate let exit: SocketExit?

        /// The whole pipeline, with a promise for each write.
        static var pipeline: Self { Self(isSocket: false, exit: nil) }

        private init(isSocket: Bool, exit: SocketExit?) {
            self.isSocket = isSocket
            self.exit = exit
        }

        /// Adds a connection's handler behind others, such as TLS, which change the bytes before the socket.
        static func behind(
            _ transport: [any ChannelHandler],
            _ handler: some ChannelHandler,
            in pipeline: ChannelPipeline.SynchronousOperations
        ) throws -> Way {
            let exit = SocketExit()
            let handlers: [any ChannelHandler] = [exit] + transport + [handler]
            try pipeline.addHandlers(handlers)
            return Self(isSocket: false, exit: exit)
        }

        /// Adds a connection's handler as the only one of its pipeline: then its bytes are those of the socket.
        static func alone(
            _ handler: some ChannelHandler,
            in pipeline: ChannelPipeline.SynchronousOperations
        ) throws -> Way {
            try pipeline.addHandler(handler)
            return Self(isSocket: true, exit: nil)
        }
    }

    /// The most bytes that the pipeline gets in one write.
    ///
    /// TLS keeps memory for the longest one, so a write is shorter than a record of TLS.
    private static let bytesInPipelineWrite = 16_000

    private let context: ChannelHandlerContext
    private let way: Way
    /// Nil if every byte goes through the pipeline, as in a channel without a socket of the system's too, or if it is closed.
    private var socket: NIOBSDSocket.Handle?

    /// The handler of TLS in the pipeline, when its handshake is over.
    var tls: TLSLayer?

    private let onWritten: () -> Void

    /// The number of writes that the pipeline has not finished.
    private var writes = 0

    /// The bytes of those writes.
    private var handedBytes = 0

    /// The frames behind those writes, which share their memory with other connections.
    ///
    /// They wait for the socket, or for a turn of the loop if the pipeline has no write.
    private(set) var backlog: Deque<FrameBytes> = []

    /// The bytes of those frames.
    private(set) var backlogBytes = 0

    /// Ends the stream behind the backlog.
    private var ending: (() -> Void)?

    /// Whether the backlog waits in the line of the loop's connections.
    private var isInLine = false

    /// Whether the backlog waits for the end of the tick.
    private var isGathering = false

    /// The bytes that the socket has not taken.
    var waitingBytes: Int { self.handedBytes + self.backlogBytes }

    /// Whether all bytes went straight into the socket, so that no channel has any that wait.
    var isDirect: Bool { self.writes == 0 && (self.socket != nil || self.way.exit?.isThrough == true) }

    /// Whether more bytes are welcome: the socket has room, as far as known, or few bytes wait for a turn.
    var takesMore: Bool { self.backlogBytes <= (self.writes == 0 ? OutputTurns.roomBytes : 0) }

    /// - Parameters:
    ///   - context: The context of the connection's handler.
    ///   - way: The way of the bytes.
    ///   - onWritten: Called when the pipeline has finished a write that waited for the socket.
    init(_ context: ChannelHandlerContext, way: Way, onWritten: @escaping () -> Void) {
        self.context = context
        self.way = way
        self.onWritten = onWritten
        self.socket =
            way.isSocket ? try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 } : nil
    }

    /// Writes the beginning of frames behind all earlier ones, and keeps the rest.
    ///
    /// - Returns: The bytes that were tried; nil if all are kept.
    @inline(__always)
    func write(_ frames: FrameBytes, hasRoom: Bool) -> Int? {
        guard hasRoom, self.way.isSocket, self.writes == 0, self.backlog.isEmpty else {
            self.keep(frames)
            return nil
        }
        let tried = min(frames.count, OutputTurns.bytesAtOnce)
        let taken = self.send(frames, atMost: tried)
        if taken < frames.count { self.keep(frames, from: taken, isSocketFull: taken < tried) }
        return tried
    }

    /// Whether the outlet enters the line now, because its backlog waits for a turn.
    func entersLine() -> Bool {
        guard !self.isInLine, !self.isGathering, self.writes == 0, !self.backlog.isEmpty else { return false }
        self.isInLine = true
        return true
    }

    /// Writes more of the backlog: the outlet's turn has come.
    ///
    /// - Parameters:
    ///   - buffer: Memory for the bytes; nobody refers to it afterwards, unless the socket is full.
    ///   - onTried: Called with the bytes of each write.
    func turnCame(_ buffer: inout ByteBuffer, _ onTried: (Int) -> Void) {
        self.isInLine = false
        guard self.way.isSocket else {
            let before = self.backlogBytes
            self.handOn(&buffer)
            onTried(before - self.backlogBytes)
            return self.endIfThrough()
        }
        var room = OutputTurns.bytesAtOnce
        while room > 0, self.writes == 0, let frames = self.backlog.popFirst() {
            let tried = min(frames.count, room)
            let taken = self.send(frames, atMost: tried)
            self.backlogBytes -= taken
            room -= tried
            onTried(tried)
            if taken < frames.count { self.backlog.prepend(taken == 0 ? frames : frames.suffix(from: taken)) }
            if taken < tried { self.handOn() }
        }
        self.endIfThrough()
    }

    /// Ends the stream behind all written bytes, then calls the closure.
    func end(_ then: @escaping () -> Void) {
        self.ending = {
            let written = self.context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { _ in
                // The write reports its end while the channel flushes. A message that TLS sends within that, its
                // goodbye, would be lost.
                self.context.eventLoop.assumeIsolated().execute {
                    then()
                    self.context.close(mode: .output, promise: nil)
                }
            }
            self.context.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
        }
        self.endIfThrough()
    }

    /// Drops the backlog: the channel is inactive, or the socket is closed, whose number may belong to another one.
    func close() {
        self.backlog = []
        self.backlogBytes = 0
        self.socket = nil
    }

    private func keep(_ frames: FrameBytes, from taken: Int, isSocketFull: Bool) {
        self.backlog.append(taken == 0 ? frames : frames.suffix(from: taken))
        self.backlogBytes += frames.count - taken
        if isSocketFull { self.handOn() }
    }

    private func keep(_ frames: FrameBytes) {
        self.keep(frames, from: 0, isSocketFull: self.writes > 0 && self.way.isSocket)
    }

    /// Whether the backlog waits for the end of the tick, as it does on the pipeline's way.
    var gathers: Bool { !self.way.isSocket }

    /// Whether the backlog begins to wait for the end of the tick now.
    func beginsToGather() -> Bool {
        guard self.gathers, !self.isGathering else { return false }
        self.isGathering = true
        return true
    }

    /// Passes the frames of the tick on: the tick ends.
    ///
    /// - Parameters:
    ///   - buffer: Memory for the bytes; nobody refers to it afterwards, unless the socket is full.
    ///   - hasRoom: Whether the loop's turn has room for more bytes.
    /// - Returns: The bytes that were passed on.
    func endTick(_ buffer: inout ByteBuffer, hasRoom: Bool) -> Int {
        self.isGathering = false
        let before = self.backlogBytes
        if hasRoom { self.handOn(&buffer) }
        self.endIfThrough()
        return before - self.backlogBytes
    }

    /// Gives the pipeline bytes of the backlog while it has few, to be written when the socket has room.
    private func handOn() {
        var buffer = ByteBuffer()
        self.handOn(&buffer)
    }

    private func handOn(_ buffer: inout ByteBuffer) {
        let most = self.way.isSocket ? OutputTurns.bytesAtOnce : Self.bytesInPipelineWrite
        // A full socket takes nothing now. Behind TLS the socket may have room, and then this write counts as one of a turn.
        var room = self.way.isSocket ? Int.max : OutputTurns.bytesAtOnce
        while room > 0, self.handedBytes < OutputTurns.bytesAtOnce, !self.backlog.isEmpty {
            buffer.clear()
            self.take(atMost: most, into: &buffer)
            self.backlogBytes -= buffer.readableBytes
            room -= buffer.readableBytes
            self.handOver(buffer)
        }
    }

    /// Moves bytes from the front of the backlog behind those of a buffer.
    private func take(atMost most: Int, into buffer: inout ByteBuffer) {
        while buffer.readableBytes < most, let frames = self.backlog.popFirst() {
            let count = min(frames.count, most - buffer.readableBytes)
            if count < frames.count { self.backlog.prepend(frames.suffix(from: count)) }
            frames.copy(first: count, into: &buffer)
        }
    }

    private func endIfThrough() {
        guard self.backlog.isEmpty, let ending else { return }
        self.ending = nil
        ending()
    }

    private func handOver(_ bytes: ByteBuffer) {
        if let exit = self.way.exit { return self.handOver(bytes, exit) }
        self.writes += 1
        self.handedBytes += bytes.readableBytes
        let written = self.context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { outcome in
            self.writes -= 1
            self.handedBytes -= bytes.readableBytes
            if case .success = outcome { self.wereWritten(true) } else { self.wereWritten(false) }
        }
        self.context.writeAndFlush(NIOAny(bytes), promise: written)
    }

    /// Hands bytes over without a promise, which costs as much as their encryption.
    ///
    /// Bytes that are in the socket at once are not reported.
    private func handOver(_ bytes: ByteBuffer, _ exit: SocketExit) {
        if let tls { tls.writeAndFlush(bytes) } else { self.context.writeAndFlush(NIOAny(bytes), promise: nil) }
        guard !exit.isThrough else { return }
        self.writes = 1
        self.handedBytes += bytes.readableBytes
        exit.whenThrough { succeeded in
            self.writes = 0
            self.handedBytes = 0
            self.wereWritten(succeeded)
        }
    }

    /// The pipeline has finished a write; behind a failure nothing more can be written.
    private func wereWritten(_ succeeded: Bool) {
        if !succeeded { self.close() }
        self.endIfThrough()
        if succeeded { self.onWritten() }
    }

    /// Sends bytes from the front and returns the number that the socket took.
    ///
    /// The number is 0 if the socket is full, or fails, which the pipeline then meets itself.
    private func send(_ frames: FrameBytes, atMost count: Int) -> Int {
        guard let socket else { return 0 }
        var taken = 0
        frames.forEachPiece { piece in
            let tried = min(piece.count, count - taken)
            let isLast = taken + tried == count
            let flags = MSG_NOSIGNAL | MSG_DONTWAIT | (isLast ? 0 : MSG_MORE)
            let sent = max(0, Glibc.send(socket, piece.baseAddress, tried, Int32(flags)))
            taken += sent
            return sent == tried && !isLast
        }
        return taken
    }
}

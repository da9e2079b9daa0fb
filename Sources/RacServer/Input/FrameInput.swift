package import NIOCore
package import RacProtocol

/// Cuts the bytes of one connection into messages, and stops where the client has to wait.
///
/// Any transport that carries frames feeds it: `received(_:)` takes bytes, then `next()` gives payloads until it gives
/// `.nothing`. A transport with a framing of its own passes whole payloads to ``ConnectionHandler`` instead, which
/// then calls `passed(_:)`, `taken(_:)` and `reading` only.
///
/// A client waits for one of two reasons. The host has not taken enough of the client's messages, as `FlowWindow` counts.
/// Or a compressed frame waits for its turn, because inflating one must not delay other connections.
///
/// Semantics: protocol.md, "Frames".
package struct FrameInput {
    /// Whether a client is read, or the reason why it waits.
    package enum Reading: Equatable, Sendable {
        case on
        /// The host has to take earlier messages first.
        case held
        /// A compressed frame waits for its turn to be inflated.
        case queued
    }

    package enum Next: Equatable {
        /// The payload of a whole frame.
        case payload(ByteBuffer)
        /// A compressed frame: `inflate(atMost:)` goes on with it.
        case compressed
        /// No whole frame is there, or the client has to wait.
        case nothing
    }

    package private(set) var reading = Reading.on

    /// Bytes that belong to no payload yet: the beginning of a frame, or whole frames while the client waits.
    package private(set) var unread = ByteBuffer()

    private var reader: FrameReader
    private var window: FlowWindow
    /// A compressed frame that is inflated piece by piece.
    private var inflation: Inflation?
    /// Whether bursts of plain sends may be taken: not before the welcome, which answers a message alone.
    private var takesBursts = false

    /// Makes the input of a connection that has not said hello.
    ///
    /// - Parameters:
    ///   - maximumBytes: The longest payload before the welcome.
    ///   - aheadBytes: How far the client may be ahead of the host.
    package init(maximumBytes: Int, aheadBytes: Int) {
        self.reader = FrameReader(maximumBytes: maximumBytes, inflates: false)
        self.window = FlowWindow(limit: aheadBytes)
    }

    /// Whether hello and welcome agreed on compressed frames.
    package var inflates: Bool { self.reader.inflates }

    /// Whether the client has to wait.
    package var isHeld: Bool { self.reading != .on }

    /// The client was welcomed: longer frames and bursts of sends may come.
    package mutating func welcomed(maximumBytes: Int, inflates: Bool) {
        self.reader = FrameReader(maximumBytes: maximumBytes, inflates: inflates)
        self.takesBursts = true
    }
}

// MARK: Bytes in

extension FrameInput {
    /// More bytes have come.
    package mutating func received(_ bytes: ByteBuffer) {
        if self.unread.readableBytes == 0 {
            self.unread = bytes
        } else {
            self.unread.writeImmutableBuffer(bytes)
        }
    }

    /// Forgets all bytes, and reads on: later bytes are the caller's to drop.
    ///
    /// - Returns: Whether the client had to wait.
    package mutating func dismiss() -> Bool {
        self.unread = ByteBuffer()
        self.inflation = nil
        defer { self.reading = .on }
        return self.isHeld
    }

    /// Lets go of the memory of earlier frames, when `next()` has given nothing.
    package mutating func releaseMemory() {
        guard !self.isHeld else { return }
        if self.unread.readableBytes == 0 {
            self.unread = ByteBuffer()
        } else if self.unread.readerIndex > 0 {
            self.unread = ByteBuffer(bytes: self.unread.readableBytesView)
        }
    }
}

// MARK: Messages out

extension FrameInput {
    /// Whether plain sends may stand at the front of `unread`.
    package var mayHaveSends: Bool {
        guard self.takesBursts, !self.isHeld, case nil = self.inflation else { return false }
        return self.unread.readableBytes > 0
    }

    /// The plain sends at the front of `unread`, as far as the window lets the client be ahead.
    ///
    /// - Parameter buffer: `unread`, which the caller keeps for the span of bytes that each step takes.
    /// - Returns: The sends, none of them taken yet.
    package func sends(in buffer: ByteBuffer) -> PlainSends {
        PlainSends(of: buffer, longestPayload: self.reader.maximumBytes, limit: self.window.room)
    }

    /// The host took plain sends: these bytes from the front, with this length of payloads.
    package mutating func tookSends(_ bytes: Int, payloadBytes: Int) {
        guard bytes > 0 else { return }
        self.unread.moveReaderIndex(forwardBy: bytes)
        self.passed(payloadBytes)
    }

    /// The next payload, if a whole frame is there and the client need not wait.
    package mutating func next() throws(FrameError) -> Next {
        guard !self.isHeld else { return .nothing }
        guard self.inflation == nil, !self.reader.mustInflate(self.unread) else { return .compressed }
        guard let payload = try self.reader.nextPayload(in: &self.unread) else { return .nothing }
        return .payload(payload)
    }

    /// Inflates more of the compressed frame that is next.
    ///
    /// - Parameter room: The number of bytes that this turn may work on; with 0 the frame waits for its turn.
    /// - Returns: The payload, if it is whole, and the number of bytes that inflating worked on.
    /// - Throws: `FrameError` for a payload that is no zlib stream or too long.
    package mutating func inflate(atMost room: Int) throws(FrameError) -> (payload: ByteBuffer?, bytes: Int) {
        guard room > 0 else {
            self.reading = .queued
            return (nil, 0)
        }
        if self.inflation == nil { self.inflation = try self.reader.nextInflation(in: &self.unread) }
        guard let (progress, bytes) = try self.inflation?.inflate(atMost: room) else { return (nil, 0) }
        switch progress {
        case .begun:
            self.reading = .queued
            return (nil, bytes)
        case .whole(let payload):
            self.inflation = nil
            return (payload, bytes)
        }
    }
}

// MARK: The host's pace

extension FrameInput {
    /// A message of this length is on its way to the host.
    package mutating func passed(_ bytes: Int) {
        self.window.sent(bytes)
        self.reading = self.window.isOpen ? .on : .held
    }

    /// The host has taken this many bytes of the client's messages.
    ///
    /// - Returns: Whether a client that was held may be read on.
    package mutating func taken(_ bytes: Int) -> Bool {
        self.window.taken(bytes)
        return self.reading == .held && self.window.isOpen
    }

    /// The client need not wait any more.
    package mutating func readOn() {
        self.reading = .on
    }
}

package import NIOCore
import RacHost
package import RacProtocol

/// Cuts the bytes of one connection into messages, and stops where the client has to wait.
///
/// ``FrameConversation`` feeds it: `received(_:)` takes bytes, then `next()` gives payloads until it gives `.nothing`. The
/// messages of a WebSocket come as frames, too.
///
/// A client waits for one of four reasons. The host has not taken enough of the client's messages, as `FlowWindow` counts.
/// The client has spent its units of the loop's turn. Its next frame is long, and `LongFrames` reads it. Or it is over the rate
/// of its roles.
///
/// Semantics: protocol.md, "Frames".
package struct FrameInput {
    /// Whether a client is read, or the reason why it waits.
    package enum Reading: Equatable, Sendable {
        case on
        /// The host has to take earlier messages first.
        case held
        /// The client's units of this turn are spent.
        case queued
        /// A long frame waits to be read apart from the loop, or is being read.
        case apart
        /// The client is over its rate: a timer ends the rest.
        case resting
    }

    package enum Next: Equatable {
        /// The payload of a whole frame.
        case payload(ByteBuffer)
        /// A long frame: `takeLong()` takes it when the loop has time for it.
        case long
        /// No whole frame is there, or the client has to wait.
        case nothing
    }

    package private(set) var reading = Reading.on

    /// Bytes that belong to no payload yet: the beginning of a frame, or whole frames while the client waits.
    package private(set) var unread = ByteBuffer()

    /// The units that the client may still spend in this turn.
    package private(set) var room = 0

    /// The bytes of a long frame that is being read.
    private var bytesApart = 0

    private var reader: FrameReader
    private var window: FlowWindow
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

    /// The bytes that are kept for the client.
    package var keptBytes: Int { self.unread.readableBytes + self.bytesApart }

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
        self.unread.receive(bytes)
    }

    /// Forgets all bytes, and reads on: later bytes are the caller's to drop.
    package mutating func dismiss() {
        self.unread = ByteBuffer()
        self.bytesApart = 0
        self.reading = .on
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
    /// The client may spend this many units of the loop's turn.
    package mutating func begin(room: Int) {
        self.room = room
    }

    /// A message of the client has cost more units than its bytes.
    package mutating func spend(_ units: Int) {
        self.room -= units
    }

    /// Whether plain sends may stand at the front of `unread`.
    package var mayHaveSends: Bool {
        self.takesBursts && !self.isHeld && self.room > 0 && self.unread.readableBytes > 0
    }

    /// The plain sends at the front of `unread`, as far as the window lets the client be ahead.
    ///
    /// - Parameters:
    ///   - buffer: `unread`, which the caller keeps for the span of bytes that each step takes.
    ///   - overhead: The bytes that each send counts for in addition to its payload.
    /// - Returns: The sends, none of them taken yet.
    package func sends(in buffer: ByteBuffer, overhead: Int) -> PlainSends {
        PlainSends(
            of: buffer,
            longestPayload: self.reader.maximumBytes,
            limit: self.window.room,
            overhead: overhead
        )
    }

    /// Plain sends were submitted: these bytes from the front, which count for so many.
    package mutating func tookSends(_ bytes: Int, counting countedBytes: Int) {
        guard bytes > 0 else { return }
        self.unread.moveReaderIndex(forwardBy: bytes)
        self.passed(countedBytes)
    }

    /// The next payload, if a whole frame is there and the client need not wait.
    package mutating func next() throws(FrameError) -> Next {
        guard !self.isHeld else { return .nothing }
        guard self.room > 0 else {
            self.reading = .queued
            return .nothing
        }
        let start = self.unread.readerIndex
        guard let frame = try self.reader.nextFrame(in: &self.unread) else { return .nothing }
        guard let payload = try self.payload(of: frame) else {
            self.unread.moveReaderIndex(to: start)
            self.reading = .apart
            return .long
        }
        self.room -= Work.decoding
        return .payload(payload)
    }

    /// The payload of a frame; nil if reading it would delay other connections.
    private mutating func payload(of frame: FrameReader.Frame) throws(FrameError) -> ByteBuffer? {
        guard frame.isCompressed else {
            return frame.payload.readableBytes <= LongFrame.plainBytes ? frame.payload : nil
        }
        guard frame.payload.readableBytes <= LongFrame.compressedBytes else { return nil }
        let limit = min(LongFrame.inflatedBytes, self.reader.maximumBytes)
        do throws(FrameError) {
            let payload = try Deflate.inflate(frame.payload, limit: limit)
            self.room -= Work.bytesRead(payload.readableBytes)
            return payload
        } catch {
            self.room -= Work.bytesRead(limit)
            guard case .tooLarge = error, self.reader.maximumBytes > limit else { throw error }
            return nil
        }
    }

    /// Takes the long frame that `next()` has met, to be read apart; nil if the client is dismissed.
    package mutating func takeLong() -> LongFrame? {
        guard self.reading == .apart, let frame = try? self.reader.nextFrame(in: &self.unread) else { return nil }
        self.bytesApart = frame.payload.readableBytes
        // The frame and the bytes behind it part, so that neither keeps the other's memory: the shorter ones are copied.
        guard self.unread.readableBytes < frame.payload.readableBytes else {
            return LongFrame(frame.copied, maximumBytes: self.reader.maximumBytes)
        }
        self.unread = self.unread.readableBytes == 0 ? ByteBuffer() : ByteBuffer(bytes: self.unread.readableBytesView)
        return LongFrame(frame, maximumBytes: self.reader.maximumBytes)
    }

    /// The long frame has been read.
    ///
    /// - Returns: Whether the client still waits for it.
    package mutating func wasRead() -> Bool {
        self.bytesApart = 0
        guard self.reading == .apart else { return false }
        self.reading = .on
        return true
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

    /// The client is over its rate.
    ///
    /// - Returns: Whether it rests, because it does not wait for another reason already.
    package mutating func rests() -> Bool {
        guard self.reading == .on else { return false }
        self.reading = .resting
        return true
    }

    /// The client has spent its units before its bytes came here.
    package mutating func awaitTurn() {
        self.reading = .queued
    }

    /// The client need not wait any more.
    package mutating func readOn() {
        self.reading = .on
    }
}

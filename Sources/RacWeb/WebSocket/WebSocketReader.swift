package import NIOCore
import RacProtocol

/// Finds the messages in a client's bytes, and makes each text message a frame of the rac protocol.
///
/// A message is unmasked into the memory of its frame, behind the frames of earlier ones, so it is copied once. Memory grows with
/// the bytes that have come, not with the lengths that headers promise.
///
/// Semantics: RFC 6455, section 5; protocol.md, "WebSocket".
package struct WebSocketReader: Sendable {
    package enum Event: Equatable, Sendable {
        /// This number of text messages; ``takeFrames()`` gives them.
        case messages(Int)
        case ping(ByteBuffer)
        case pong
        /// The client ends the WebSocket, with this code if it gave one.
        case close(UInt16?)
    }

    /// The most frames of one message: each costs time, and an empty one no memory that a limit would count.
    package static let maximumFragments = 4_096

    /// The bytes of messages that are passed on together.
    private static let gatheredBytes = 16 << 10

    private enum State {
        case header
        case data(WebSocketHeader, left: Int)
        case control(WebSocketHeader)
    }

    /// The longest text message.
    package var maximumBytes: Int

    private var state = State.header
    /// The bytes of frames that have not been read.
    package private(set) var unread = ByteBuffer()
    /// The frames of whole messages, and that of the present one: room for its header, and the bytes that have come.
    private var frames = ByteBuffer()
    /// The bytes of the frames of whole messages.
    private var wholeBytes = 0
    private var fragments = 0
    /// Whether all bytes of the present message are ASCII, so that they need no check.
    private var isASCII = true

    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// The bytes that are kept for the client.
    package var keptBytes: Int { self.unread.readableBytes + self.frames.readableBytes }

    /// More bytes have come.
    package mutating func received(_ bytes: ByteBuffer) {
        self.unread.receive(bytes)
    }

    /// Forgets all bytes: nothing of the client counts any more.
    package mutating func dismiss() {
        self = WebSocketReader(maximumBytes: self.maximumBytes)
    }

    /// Reads on to the next event.
    ///
    /// - Parameter count: The most messages of the event.
    /// - Returns: The event; nil if its last byte has not come.
    /// - Throws: ``WebSocketFault`` behind the last event; ``takeFrames()`` gives the messages in front of the fault.
    package mutating func next(atMost count: Int) throws(WebSocketFault) -> Event? {
        var messages = 0
        while messages < count, self.wholeBytes < Self.gatheredBytes {
            switch self.state {
            case .header:
                guard let header = try WebSocketHeader(in: &self.unread) else { return self.paused(behind: messages) }
                self.state = header.opcode.isControl ? .control(header) : try self.begin(header)
            case .data(let header, let left):
                let rest = left - self.unmask(atMost: left, header, from: header.length - left)
                guard rest == 0 else {
                    self.state = .data(header, left: rest)
                    return self.paused(behind: messages)
                }
                self.state = .header
                guard header.isFinal else { continue }
                try self.endMessage()
                messages += 1
            case .control(let header):
                if messages > 0 { return .messages(messages) }
                guard self.unread.readableBytes >= header.length else { return self.paused(behind: 0) }
                self.state = .header
                return try self.control(header)
            }
        }
        return messages > 0 ? .messages(messages) : nil
    }

    /// Takes the frames of all whole messages.
    package mutating func takeFrames() -> ByteBuffer {
        var frames = ByteBuffer()
        guard self.wholeBytes > 0 else { return frames }
        swap(&frames, &self.frames)
        let begun = frames.readableBytes - self.wholeBytes
        if begun > 0 {
            self.frames = ByteBuffer(bytes: frames.readableBytesView.suffix(begun))
            frames.moveWriterIndex(to: frames.writerIndex - begun)
        }
        self.wholeBytes = 0
        return frames
    }

    /// The client's bytes are used up, but for the beginning of a header or of a control frame.
    private mutating func paused(behind messages: Int) -> Event? {
        if self.unread.readableBytes == 0 {
            self.unread = ByteBuffer()
        } else if self.unread.readerIndex > 0 {
            // A copy, which does not keep the memory of the whole read.
            self.unread = ByteBuffer(bytes: self.unread.readableBytesView)
        }
        return messages > 0 ? .messages(messages) : nil
    }

    private mutating func begin(_ header: WebSocketHeader) throws(WebSocketFault) -> State {
        let isFirst = header.opcode != .continuation
        guard isFirst == (self.fragments == 0) else {
            let fault = isFirst ? "a message began inside another one" : "a fragment continues no message"
            throw WebSocketFault(.protocolError, fault)
        }
        guard header.opcode != .binary else {
            throw WebSocketFault(.unsupportedData, "a message of this protocol is text")
        }
        self.fragments += 1
        guard self.fragments <= Self.maximumFragments else {
            throw WebSocketFault(.policy, "a message has at most \(Self.maximumFragments) fragments")
        }
        let begun = isFirst ? 0 : self.frames.readableBytes - self.wholeBytes - FrameHeader.byteCount
        guard header.length <= self.maximumBytes - begun else {
            throw WebSocketFault(.tooLarge, "a message is longer than the limit of \(self.maximumBytes) bytes")
        }
        if isFirst { self.beginMessage() }
        return .data(header, left: header.length)
    }

    private mutating func beginMessage() {
        if self.frames.storageCapacity == 0 {
            self.frames.reserveCapacity(FrameHeader.byteCount + min(self.unread.readableBytes, Self.gatheredBytes))
        }
        self.frames.writeInteger(UInt32(0))
    }

    private mutating func endMessage() throws(WebSocketFault) {
        let start = self.frames.readerIndex + self.wholeBytes
        let length = self.frames.writerIndex - start - FrameHeader.byteCount
        if !self.isASCII {
            let text = self.frames.readableBytesView.suffix(length)
            guard String(validating: text, as: UTF8.self) != nil else {
                throw WebSocketFault(.invalidText, "a text message is no UTF-8")
            }
            self.isASCII = true
        }
        self.frames.setInteger(UInt32(truncatingIfNeeded: length), at: start)
        self.wholeBytes += FrameHeader.byteCount + length
        self.fragments = 0
    }

    private mutating func control(_ header: WebSocketHeader) throws(WebSocketFault) -> Event {
        var payload = ByteBuffer()
        _ = Self.unmask(&self.unread, atMost: header.length, header.mask, from: 0, into: &payload)
        switch header.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong
        default: return .close(try Self.code(of: payload))
        }
    }

    private static func code(of payload: ByteBuffer) throws(WebSocketFault) -> UInt16? {
        var payload = payload
        guard payload.readableBytes > 0 else { return nil }
        guard let code = payload.readInteger(as: UInt16.self), WebSocketHeader.mayBeSent(code) else {
            throw WebSocketFault(.protocolError, "a close frame has a code that no peer may send")
        }
        guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else {
            throw WebSocketFault(.invalidText, "the reason of a close frame is no UTF-8")
        }
        return code
    }

    private mutating func unmask(atMost count: Int, _ header: WebSocketHeader, from offset: Int) -> Int {
        let (taken, bits) = Self.unmask(&self.unread, atMost: count, header.mask, from: offset, into: &self.frames)
        self.isASCII = self.isASCII && bits & 0x8080_8080_8080_8080 == 0
        return taken
    }

    /// Moves bytes of a payload from one buffer behind those of another, without their mask.
    ///
    /// - Returns: The number of bytes, and the bits that any of them has, eight bytes side by side.
    private static func unmask(
        _ source: inout ByteBuffer,
        atMost count: Int,
        _ mask: UInt32,
        from offset: Int,
        into target: inout ByteBuffer
    ) -> (taken: Int, bits: UInt64) {
        let count = min(count, source.readableBytes)
        guard count > 0 else { return (0, 0) }
        // The mask as it lies over the bytes from the offset on, twice, as memory has it.
        let shift = UInt32(offset % 4) * 8
        let turned = UInt64((mask << shift | (shift == 0 ? 0 : mask >> (32 - shift))).bigEndian)
        let wide = turned | turned << 32
        var bits: UInt64 = 0
        target.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            source.withUnsafeReadableBytes { source in
                var index = 0
                while index + 8 <= count {
                    let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
                    target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
                    bits |= word
                    index += 8
                }
                while index < count {
                    let byte = source[index] ^ UInt8(truncatingIfNeeded: wide >> UInt64(index % 8 * 8))
                    target[index] = byte
                    bits |= UInt64(byte)
                    index += 1
                }
            }
            return count
        }
        source.moveReaderIndex(forwardBy: count)
        return (count, bits)
    }
}

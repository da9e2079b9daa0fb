package import NIOCore

/// A fault in the framing, behind which no frame can be found: the connection must end.
package enum FrameError: Error, Equatable, Sendable {
    case tooLarge(bytes: Int?, limit: Int)
    case deflateNotAgreed
    case doesNotInflate

    package var wireError: WireError {
        switch self {
        case .tooLarge(let bytes?, let limit):
            WireError(.tooLarge, "a frame of \(bytes) bytes is longer than the limit of \(limit)")
        case .tooLarge(nil, let limit):
            WireError(.tooLarge, "a frame inflates to more than the limit of \(limit) bytes")
        case .deflateNotAgreed:
            WireError(.badFrame, "a compressed frame came, but hello and welcome did not agree on deflate")
        case .doesNotInflate:
            WireError(.badFrame, "a compressed frame's payload is no zlib stream (RFC 1950)")
        }
    }
}

/// Finds the frames in the bytes of a connection.
///
/// Semantics: protocol.md, "Frames".
package struct FrameReader: Sendable {
    /// The longest payload, compressed or inflated.
    package var maximumBytes: Int

    /// Whether hello and welcome agreed on compressed frames.
    package var inflates: Bool

    package init(maximumBytes: Int, inflates: Bool) {
        self.maximumBytes = maximumBytes
        self.inflates = inflates
    }

    /// Takes the next whole frame's payload from the front of the buffer; nil if more bytes are needed first.
    package func nextPayload(in buffer: inout ByteBuffer) throws(FrameError) -> ByteBuffer? {
        guard let frame = try self.nextFrame(in: &buffer) else { return nil }
        return frame.isCompressed ? try Deflate.inflate(frame.payload, limit: self.maximumBytes) : frame.payload
    }

    /// The range of the payload whose frame begins at an offset.
    ///
    /// - Returns: The range; nil if the frame is not whole, is compressed or exceeds the limit.
    package static func plainPayload(
        in bytes: Span<UInt8>,
        at offset: Int,
        maximumBytes: Int
    ) -> Range<Int>? {
        let start = offset + FrameHeader.byteCount
        guard start <= bytes.count else { return nil }
        let header = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        // The highest bit marks a compressed frame; as a length it exceeds every limit.
        let length = Int(UInt32(bigEndian: header))
        guard length <= maximumBytes, length <= bytes.count - start else { return nil }
        return start..<start + length
    }

    /// Takes the next whole frame from the front of the buffer; nil if more bytes are needed first.
    package func nextFrame(in buffer: inout ByteBuffer) throws(FrameError) -> Frame? {
        guard let header = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        let length = Int(header & FrameHeader.lengthMask)
        let compressed = header & FrameHeader.compressedBit != 0
        guard length <= self.maximumBytes else { throw .tooLarge(bytes: length, limit: self.maximumBytes) }
        guard !compressed || self.inflates else { throw .deflateNotAgreed }
        guard buffer.readableBytes >= FrameHeader.byteCount + length else { return nil }
        buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        guard let payload = buffer.readSlice(length: length) else { return nil }
        return Frame(payload: payload, isCompressed: compressed)
    }

    /// A frame as it was sent.
    package struct Frame: Sendable {
        package let payload: ByteBuffer
        package let isCompressed: Bool

        /// The frame with memory of its own.
        package var copied: Frame {
            Frame(payload: ByteBuffer(bytes: self.payload.readableBytesView), isCompressed: self.isCompressed)
        }
    }
}

/// The four bytes before each payload: bit 31 says that it is compressed, bits 30 to 0 are its length.
package enum FrameHeader {
    package static let byteCount = 4
    package static let compressedBit: UInt32 = 1 << 31
    package static let lengthMask: UInt32 = ~Self.compressedBit
}

extension ByteBuffer {
    /// Writes one frame whose payload the closure writes.
    package mutating func writeFrame(_ writePayload: (inout ByteBuffer) -> Void) {
        let start = self.writerIndex
        self.writeInteger(UInt32(0))
        writePayload(&self)
        let length = self.writerIndex - start - FrameHeader.byteCount
        self.setInteger(UInt32(truncatingIfNeeded: length), at: start)
    }
}

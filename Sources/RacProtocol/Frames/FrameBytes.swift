package import NIOCore

/// Whole frames, one behind the other; copies and parts share their memory until one of them is written to.
package struct FrameBytes: Hashable, Sendable {
    package internal(set) var bytes = ByteBuffer()

    package init() {}

    package init(_ message: ServerMessage) {
        message.write(to: &self.bytes)
    }

    /// What was written elsewhere, which must be whole frames.
    package init(bytes: ByteBuffer) {
        self.bytes = bytes
    }

    package var count: Int { self.bytes.readableBytes }
    package var isEmpty: Bool { self.count == 0 }

    package mutating func append(_ message: ServerMessage) {
        message.write(to: &self.bytes)
    }

    package mutating func append(_ other: FrameBytes) {
        self.bytes.writeImmutableBuffer(other.bytes)
    }

    package mutating func removeAll() {
        // Not clear(): that would copy the capacity if a part of these bytes is still on its way somewhere.
        self.bytes = ByteBuffer()
    }

    /// The same frames, those compressed whose payload has at least so many bytes.
    package func deflated(from threshold: Int) -> FrameBytes {
        guard self.count >= threshold else { return self }
        var rest = self.bytes
        var result = ByteBuffer()
        let reader = FrameReader(maximumBytes: Int(FrameHeader.lengthMask), inflates: false)
        while let payload = try? reader.nextPayload(in: &rest) {
            if payload.readableBytes >= threshold {
                result.writeFrame(Deflate.deflate(payload), compressed: true)
            } else {
                result.writeFrame(payload, compressed: false)
            }
        }
        return FrameBytes(bytes: result)
    }

    /// The frames from a byte offset on, which must be where a frame begins.
    package func suffix(from offset: Int) -> FrameBytes {
        guard offset > 0 else { return self }
        let start = self.bytes.readerIndex + offset
        // A slice and not a moved index: appending to it must copy no more than the part.
        return self.bytes.getSlice(at: start, length: self.count - offset).map(FrameBytes.init(bytes:)) ?? FrameBytes()
    }
}

/// Writing rac's frames: four bytes of length, big-endian, and a JSON object.
enum FrameWriter {
    static func append(_ payload: String, to bytes: inout [UInt8]) {
        self.append(length: payload.utf8.count, to: &bytes)
        bytes.append(text: payload)
    }

    /// Appends an object that ends with a value.
    static func append(_ head: String, _ value: NumberedValue, byteCount: Int, to bytes: inout [UInt8]) {
        self.append(length: head.utf8.count + byteCount + 1, to: &bytes)
        bytes.append(text: head)
        value.append(to: &bytes, byteCount: byteCount)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(length: Int, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
    }
}

/// Cutting a stream into rac's frames.
enum FrameReader {
    /// Longest payload that any benchmark has a use for; a longer one is a sign of broken framing.
    private static let maximumPayloadBytes = 1 << 20

    /// Where the payload of the frame at `start` stands; nil if the frame has not come as a whole.
    @inline(__always)
    static func payload(_ bytes: Span<UInt8>, at start: Int) throws -> Range<Int>? {
        guard bytes.count - start >= 4 else { return nil }
        let high = Int(bytes[start]) << 24 | Int(bytes[start + 1]) << 16
        let length = high | Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        guard length <= Self.maximumPayloadBytes else { throw ProtocolError.framing(length) }
        return bytes.count - start - 4 >= length ? start + 4..<start + 4 + length : nil
    }
}

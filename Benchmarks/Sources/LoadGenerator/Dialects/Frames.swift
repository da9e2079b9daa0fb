/// Writing rac's frames: four bytes of length, big-endian, and a JSON object.
///
/// Without `isFramed` the object stands alone.
enum FrameWriter {
    static func append(_ payload: String, isFramed: Bool = true, to bytes: inout [UInt8]) {
        self.append(isFramed, to: &bytes) { $0.append(text: payload) }
    }

    /// Appends an object that ends with a value, behind what the closure writes.
    @inline(__always)
    static func append(
        _ value: NumberedValue,
        byteCount: Int,
        isFramed: Bool = true,
        to bytes: inout [UInt8],
        behind writeHead: (inout [UInt8]) -> Void
    ) {
        self.append(isFramed, to: &bytes) { bytes in
            writeHead(&bytes)
            value.append(to: &bytes, byteCount: byteCount)
            bytes.append("}")
        }
    }

    @inline(__always)
    private static func append(
        _ isFramed: Bool,
        to bytes: inout [UInt8],
        _ writePayload: (inout [UInt8]) -> Void
    ) {
        guard isFramed else { return writePayload(&bytes) }
        let start = bytes.count
        bytes.append("\0\0\0\0")
        writePayload(&bytes)
        let length = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
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

/// The frames of WebSocket, RFC 6455.
enum WebSocketFrame {
    /// The bit of a message's last frame.
    static let final: UInt8 = 0x80
    static let text: UInt8 = 1
    /// Below it are text and the continuation of a message.
    static let binary: UInt8 = 2
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10

    /// Longest payload that any benchmark has a use for; a longer one is a sign of broken framing.
    private static let maximumPayloadBytes = 1 << 20

    /// Where the payload of the server's frame at `start` stands; nil if the frame has not come as a whole.
    @inline(__always)
    static func payload(_ bytes: Span<UInt8>, at start: Int) throws -> Range<Int>? {
        guard bytes.count - start >= 2 else { return nil }
        var (length, head) = (Int(bytes[start + 1]), 2)
        if length >= 126 {
            guard length <= 127 else { throw ProtocolError.unexpected("a masked frame") }
            head = length == 126 ? 4 : 10
            guard bytes.count - start >= head else { return nil }
            length = 0
            for index in start + 2..<start + head {
                guard length <= Self.maximumPayloadBytes else { throw ProtocolError.framing(length) }
                length = length << 8 | Int(bytes[index])
            }
        }
        guard length <= Self.maximumPayloadBytes else { throw ProtocolError.framing(length) }
        let first = start + head
        return bytes.count - first >= length ? first..<first + length : nil
    }

    /// Appends a client's frame, which is a whole message; masked, as a server demands it.
    static func append(_ payload: [UInt8], _ opcode: UInt8, mask: UInt32, to bytes: inout [UInt8]) {
        precondition(payload.count < 1 << 16, "no client says as much at once")
        bytes.append(Self.final | opcode)
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        withUnsafeBytes(of: mask) { bytes.append(contentsOf: $0) }
        let start = bytes.count
        bytes += payload
        bytes.withUnsafeMutableBytes { self.mask($0, from: start, with: mask) }
    }

    /// Masks all bytes from `start` on, eight at a time.
    private static func mask(_ bytes: UnsafeMutableRawBufferPointer, from start: Int, with mask: UInt32) {
        let wide = UInt64(mask) << 32 | UInt64(mask)
        var index = start
        while bytes.count - index >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        var rest = mask
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: rest)
            rest = rest >> 8 | rest << 24
            index += 1
        }
    }
}

package import NIOCore
package import RacProtocol

/// The daemon's side of the framing, which masks nothing.
///
/// Semantics: RFC 6455, section 5.2.
extension FrameBytes {
    private static let longestHeader = 10

    /// The payloads of these frames as text messages; long values stay shared.
    package var asWebSocketMessages: FrameBytes {
        self.reheaded(atMost: Self.longestHeader) { Self.writeHeader(0x81, $1, to: $0) }
    }

    private static func writeHeader(_ first: UInt8, _ length: Int, to room: UnsafeMutableRawPointer) -> Int {
        room.storeBytes(of: first, as: UInt8.self)
        switch length {
        case ...125:
            room.storeBytes(of: UInt8(length), toByteOffset: 1, as: UInt8.self)
            return 2
        case ...0xFFFF:
            room.storeBytes(of: 126, toByteOffset: 1, as: UInt8.self)
            room.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            return 4
        default:
            room.storeBytes(of: 127, toByteOffset: 1, as: UInt8.self)
            room.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            return Self.longestHeader
        }
    }

    /// The answer to a ping.
    package static func webSocketPong(_ payload: ByteBuffer) -> FrameBytes { self.control(0x8A, payload) }

    /// The end of the WebSocket, with a reason of at most 123 bytes.
    package static func webSocketClose(_ code: UInt16, _ reason: String) -> FrameBytes {
        var payload = ByteBuffer(integer: code)
        var reason = Substring(reason)
        while reason.utf8.count > 123 { reason.removeLast() }
        payload.writeSubstring(reason)
        return self.control(0x88, payload)
    }

    private static func control(_ first: UInt8, _ payload: ByteBuffer) -> FrameBytes {
        var bytes = ByteBuffer(bytes: [first, UInt8(truncatingIfNeeded: payload.readableBytes)])
        bytes.writeImmutableBuffer(payload)
        return FrameBytes(copying: bytes)
    }
}

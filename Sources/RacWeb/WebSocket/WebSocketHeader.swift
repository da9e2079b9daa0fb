import NIOCore

/// The header of a client's frame.
///
/// Semantics: RFC 6455, section 5.2.
struct WebSocketHeader: Sendable {
    enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { self.rawValue >= 8 }
    }

    let opcode: Opcode
    let isFinal: Bool
    let length: Int
    let mask: UInt32

    /// Takes a header from the front of a buffer; nil if more bytes are needed first.
    init?(in buffer: inout ByteBuffer) throws(WebSocketFault) {
        let start = buffer.readerIndex
        guard let first = buffer.getInteger(at: start, as: UInt8.self) else { return nil }
        guard first & 0x70 == 0 else {
            throw WebSocketFault(.protocolError, "a frame has reserved bits, and no extension was agreed on")
        }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw WebSocketFault(.protocolError, "a frame has the unknown opcode \(first & 0x0F)")
        }
        guard let second = buffer.getInteger(at: start + 1, as: UInt8.self) else { return nil }
        guard second & 0x80 != 0 else {
            throw WebSocketFault(.protocolError, "a client masks each frame")
        }
        let short = Int(second & 0x7F)
        let isFinal = first & 0x80 != 0
        if opcode.isControl, short > 125 || !isFinal {
            throw WebSocketFault(.protocolError, "a control frame is whole and has at most 125 bytes")
        }
        let byteCount = short == 126 ? 8 : short == 127 ? 14 : 6
        guard buffer.readableBytes >= byteCount else { return nil }
        self.opcode = opcode
        self.isFinal = isFinal
        self.length = try Self.length(short, in: buffer, at: start + 2)
        self.mask = buffer.getInteger(at: start + byteCount - 4) ?? 0
        buffer.moveReaderIndex(forwardBy: byteCount)
    }

    private static func length(_ short: Int, in buffer: ByteBuffer, at index: Int) throws(WebSocketFault) -> Int {
        let length: UInt64
        switch short {
        case 126: length = UInt64(buffer.getInteger(at: index, as: UInt16.self) ?? 0)
        case 127: length = buffer.getInteger(at: index) ?? 0
        default: return short
        }
        guard length > (short == 126 ? 125 : 0xFFFF) else {
            throw WebSocketFault(.protocolError, "a frame's length is not in its shortest form")
        }
        guard let length = Int(exactly: length) else {
            throw WebSocketFault(.protocolError, "a frame's length is beyond 63 bits")
        }
        return length
    }

    /// Whether a peer may send this code in a close frame.
    static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

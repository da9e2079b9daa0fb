import NIOCore
import RacProtocol

/// Frames and their texts, as a client of the tests writes and reads them.
enum Wire {
    /// One frame with this payload.
    static func frame(_ text: String, compressed: Bool = false) -> ByteBuffer {
        var payload = ByteBuffer(string: text)
        if compressed { payload = Deflate.deflate(payload) }
        return self.frame(payload: payload, compressed: compressed)
    }

    static func frame(payload: ByteBuffer, compressed: Bool = false) -> ByteBuffer {
        let length = UInt32(payload.readableBytes)
        var frame = ByteBuffer(integer: compressed ? length | FrameHeader.compressedBit : length)
        frame.writeImmutableBuffer(payload)
        return frame
    }

    /// These texts, a frame each.
    static func frames(_ texts: some Sequence<String>) -> ByteBuffer {
        var bytes = ByteBuffer()
        for text in texts { bytes.writeImmutableBuffer(self.frame(text)) }
        return bytes
    }

    /// Takes the next whole frame; nil if it is not there yet.
    static func take(from bytes: inout ByteBuffer) throws -> Heard? {
        let isCompressed = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self).map { $0 >= 0x80 } ?? false
        let reader = FrameReader(maximumBytes: 1 << 28, inflates: true)
        return try reader.nextPayload(in: &bytes).map { Heard(payload: $0, isCompressed: isCompressed) }
    }

    static let hello = #"{"op":"hello","version":1}"#
}

/// A frame of the daemon.
struct Heard: Equatable {
    let payload: ByteBuffer
    let isCompressed: Bool

    var text: String { String(buffer: self.payload) }

    /// The message, if it is none that answers a request.
    var message: ServerMessage? {
        try? ServerMessage.read(payload: self.payload) { _ in nil }
    }

    /// The code of a refusal; nil for anything else.
    var code: String? {
        guard case .refused(_, let refusal) = self.message else { return nil }
        return refusal.error.code
    }

    /// The value of a next.
    var value: String? {
        guard case .next(_, let valuation) = self.message else { return nil }
        return valuation.value.description
    }

    /// The terminal of a reply to bind.
    var terminal: UInt64? {
        guard let name = try? ChannelName("any") else { return nil }
        let message = try? ServerMessage.read(payload: self.payload) { _ in .bind(Bind(channel: name)) }
        guard case .reply(_, .bound(let bound)) = message else { return nil }
        return bound.terminal.number
    }

    /// How far an ack goes.
    var acknowledged: UInt64? {
        guard case .ack(_, let number, _) = self.message else { return nil }
        return number.number
    }

    var isWelcome: Bool {
        if case .welcome = self.message { true } else { false }
    }
}

extension JSONText {
    /// A string of so many bytes, quotes counted.
    static func filler(bytes: Int) -> String { "\"" + String(repeating: "x", count: bytes - 2) + "\"" }
}

/// An event for which a test waits did not happen.
struct Surprise: Error {
    var what: String
}

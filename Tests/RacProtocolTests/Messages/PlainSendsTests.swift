import Expectations
import NIOCore
import RacProtocol
import Testing

@Suite struct PlainSendsTests {
    private static let longest = 60
    private static let texts = [
        #"{"op":"next","t":3,"n":1,"value":10}"#, #"{"op":"next","t":5,"n":1,"value":"a{\"b"}"#,
    ]

    private static func frame(_ text: String, compressed: Bool = false) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(text.utf8.count) | (compressed ? FrameHeader.compressedBit : 0))
        bytes.writeString(text)
        return bytes
    }

    private static func frames(_ texts: [String]) -> ByteBuffer {
        texts.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer(Self.frame($1)) }
    }

    /// The sends found in the bytes, the offset of their end, and the length of their payloads.
    private func found(in buffer: ByteBuffer, limit: Int = .max) -> (sends: [Send], end: Int, countedBytes: Int) {
        let bytes = buffer.readableBytesUInt8Span
        var sends = PlainSends(of: buffer, longestPayload: Self.longest, limit: limit)
        var found: [Send] = []
        while let send = sends.next(in: bytes) {
            found.append(sends.message(of: send))
            sends.take()
        }
        return (found, sends.end, sends.countedBytes)
    }

    @Test("Sends are found one behind the other, wherever what has come is cut off")
    func truncations() {
        let whole = Self.frames(Self.texts)
        for count in 0...whole.readableBytes {
            // The frames do not begin the buffer: bytes that were read before may still be there.
            var buffer = ByteBuffer(string: "before")
            buffer.writeImmutableBuffer(whole.getSlice(at: 0, length: count) ?? ByteBuffer())
            buffer.moveReaderIndex(forwardBy: 6)
            let found = self.found(in: buffer)
            let first = Self.texts[0].utf8.count + FrameHeader.byteCount
            let expected = count == whole.readableBytes ? 2 : count >= first ? 1 : 0
            expect(found.sends == Self.texts.prefix(expected).compactMap { Send(plain: ByteBuffer(string: $0)) })
            expect(found.end == [0, first, whole.readableBytes][expected])
        }
    }

    @Test(
        "A run of plain sends ends before any other bytes",
        arguments: [
            Self.frame(#"{"op":"ping"}"#), Self.frame(Self.texts[0], compressed: true), Self.frame(""),
            Self.frame(#"{"op":"next","t":3,"n":2,"value":"\#(String(repeating: "x", count: Self.longest))"}"#),
            Self.frame(#"{"op":"next","t":3,"n":2,"value":"#), Self.frame(Self.texts[0] + " "),
        ]
    )
    func otherFrames(_ other: ByteBuffer) {
        var buffer = Self.frames(Self.texts)
        let end = buffer.readableBytes
        buffer.writeImmutableBuffer(other)
        buffer.writeImmutableBuffer(Self.frames(Self.texts))
        let found = self.found(in: buffer)
        expect(found.sends.count == 2)
        expect(found.end == end)
    }

    @Test("No more plain sends are taken than their receiver has room for, but for the end of the last one")
    func limit() {
        let buffer = Self.frames(Self.texts)
        let lengths = Self.texts.map(\.utf8.count)
        #expect(self.found(in: buffer, limit: 0).sends.isEmpty)
        expect(self.found(in: buffer, limit: lengths[0]).countedBytes == lengths[0])
        expect(self.found(in: buffer, limit: lengths[0] + 1).countedBytes == lengths[0] + lengths[1])
    }
}

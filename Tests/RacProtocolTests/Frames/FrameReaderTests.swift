import Expectations
import NIOCore
import NIOTestUtils
import RacProtocol
import RacTesting
import Testing

/// The frame reader as NIO's verifier wants it.
private struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    let reader = FrameReader(maximumBytes: 1_024, inflates: true)

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let payload = try self.reader.nextPayload(in: &buffer) else { return .needMoreData }
        context.fireChannelRead(Self.wrapInboundOut(payload))
        return .continue
    }
}

@Suite struct FrameReaderTests {
    private static let payloads = [
        [], Array("{}".utf8), Array(#"{"op":"ping"}"#.utf8), Array(repeating: 0xFF, count: 300),
        Array(repeating: 0x78, count: 1_024),
    ]

    @Test("Frames are read whole, however their bytes arrive")
    func verified() throws {
        let plain = Self.payloads.map { (Frames.frame($0), [ByteBuffer(bytes: $0)]) }
        let compressed = Self.payloads.map { (Self.compressed($0), [ByteBuffer(bytes: $0)]) }
        try ByteToMessageDecoderVerifier.verifyDecoder(inputOutputPairs: plain + compressed) { FrameDecoder() }
    }

    @Test("A stream cut at any two places gives the same frames")
    func everySplit() throws {
        let payloads = [Array("{}".utf8), [], Array(#"{"a":1}"#.utf8)]
        var stream = Frames.frame(payloads[0])
        stream.writeImmutableBuffer(Frames.frame(payloads[1]))
        stream.writeImmutableBuffer(Self.compressed(payloads[2]))
        let bytes = Array(stream.readableBytesView)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                expect(try Self.payloads(of: pieces) == payloads, "cut at \(first) and \(second)")
            }
        }
    }

    @Test("A frame that is not whole yet stays where it is")
    func incomplete() throws {
        let bytes = Array(Frames.frame(Array("{}".utf8)).readableBytesView)
        for count in 0..<bytes.count {
            var buffer = ByteBuffer(bytes: bytes[..<count])
            expect(try Frames.reader.nextPayload(in: &buffer) == nil)
            expect(buffer.readableBytes == count)
        }
    }

    @Test("A frame of the longest length is read, one of a byte more refused before its payload is there")
    func longest() throws {
        let reader = FrameReader(maximumBytes: 10, inflates: true)
        var longest = Frames.frame(Array(repeating: 0x20, count: 10))
        expect(try reader.nextPayload(in: &longest)?.readableBytes == 10)
        for header in [UInt32(11), 0x7FFF_FFFF, 0x8000_000B, 0xFFFF_FFFF] {
            var buffer = ByteBuffer(integer: header)
            let length = Int(header & FrameHeader.lengthMask)
            #expect(throws: FrameError.tooLarge(bytes: length, limit: 10)) { try reader.nextPayload(in: &buffer) }
        }
    }

    @Test("A compressed frame is refused if hello and welcome did not agree on it")
    func notAgreed() {
        let reader = FrameReader(maximumBytes: 1_024, inflates: false)
        var buffer = Self.compressed(Array("{}".utf8))
        #expect(throws: FrameError.deflateNotAgreed) { try reader.nextPayload(in: &buffer) }
        var header = ByteBuffer(integer: FrameHeader.compressedBit)
        #expect(throws: FrameError.deflateNotAgreed) { try reader.nextPayload(in: &header) }
    }

    @Test("Random bytes give frames or an error, and what is held is never more than a frame")
    func randomBytes() {
        var random = SeededRandom.ofThisRun
        let reader = FrameReader(maximumBytes: 64, inflates: true)
        for _ in TestEffort.rounds(1_500) {
            var bytes = random.bytes(count: Int.random(in: 0...200, using: &random))
            // Most headers would be far too long: let some of them be short.
            for index in stride(from: 0, to: bytes.count, by: 4) where !random.once(in: 4) { bytes[index] &= 0x80 }
            for index in bytes.indices where index % 4 == 1 || index % 4 == 2 { bytes[index] = 0 }
            var buffer = ByteBuffer(bytes: bytes)
            while let payload = try? reader.nextPayload(in: &buffer) {
                #expect(payload.readableBytes <= 64, "\(random.hint)")
            }
        }
    }

    @Test(
        "A breach of the framing has a code and a sentence",
        arguments: [
            (
                FrameError.tooLarge(bytes: 11, limit: 10), "too-large",
                "a frame of 11 bytes is longer than the limit of 10"
            ),
            (.tooLarge(bytes: nil, limit: 10), "too-large", "a frame inflates to more than the limit of 10 bytes"),
            (.deflateNotAgreed, "bad-frame", "hello and welcome did not agree on deflate"),
            (.doesNotInflate, "bad-frame", "no zlib stream"),
        ]
    )
    func wireErrors(error: FrameError, code: String, sentence: String) {
        expect(error.wireError.code == code)
        #expect(error.wireError.message.contains(sentence))
    }

    private static func compressed(_ payload: [UInt8]) -> ByteBuffer {
        Frames.frame(Array(Deflate.deflate(ByteBuffer(bytes: payload)).readableBytesView), compressed: true)
    }

    private static func payloads(of pieces: [ArraySlice<UInt8>]) throws -> [[UInt8]] {
        var buffer = ByteBuffer()
        var payloads: [[UInt8]] = []
        for piece in pieces {
            buffer.writeBytes(piece)
            while let payload = try Frames.reader.nextPayload(in: &buffer) {
                payloads.append(Array(payload.readableBytesView))
            }
        }
        return payloads
    }
}

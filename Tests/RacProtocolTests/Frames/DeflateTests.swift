import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@Suite struct DeflateTests {
    @Test("Compressed bytes inflate to what they were", arguments: [0, 1, 100, 65_535, 65_536, 65_537, 1_000_000])
    func roundTrip(count: Int) throws {
        var random = SeededRandom.ofThisRun
        for payload in [ByteBuffer(repeating: 0x61, count: count), ByteBuffer(bytes: random.bytes(count: count))] {
            let inflated = try Deflate.inflate(Deflate.deflate(payload), limit: max(count, 1))
            expect(inflated == payload, "\(random.hint)")
        }
    }

    @Test(
        "A stream from elsewhere is read",
        arguments: [
            "789cabae0500017500f9", "7801abae0500017500f9", "78daabae0500017500f9",
        ]
    )
    func knownStream(hex: String) throws {
        expect(try Deflate.inflate(ByteBuffer(plainHexEncodedBytes: hex), limit: 2) == ByteBuffer(string: "{}"))
    }

    @Test("A stream is inflated up to the limit and not a byte further", arguments: [1, 1_000, 65_536, 200_000])
    func limit(count: Int) throws {
        let compressed = Deflate.deflate(ByteBuffer(repeating: 0, count: count))
        expect(try Deflate.inflate(compressed, limit: count).readableBytes == count)
        #expect(throws: FrameError.tooLarge(bytes: nil, limit: count - 1)) {
            try Deflate.inflate(compressed, limit: count - 1)
        }
    }

    @Test("A small stream that would inflate to very much is refused at the limit")
    func bomb() {
        let bomb = Deflate.deflate(ByteBuffer(repeating: 0, count: 64 << 20))
        #expect(bomb.readableBytes < 512 << 10)
        #expect(throws: FrameError.tooLarge(bytes: nil, limit: 1_024)) { try Deflate.inflate(bomb, limit: 1_024) }
    }

    @Test("A stream cut short is refused, wherever it is cut")
    func truncated() {
        let bytes = Array(Deflate.deflate(ByteBuffer(string: #"{"op":"ping","id":1}"#)).readableBytesView)
        for count in 0..<bytes.count {
            #expect(throws: FrameError.doesNotInflate, "cut after \(count) bytes") {
                try Deflate.inflate(ByteBuffer(bytes: bytes[..<count]), limit: 1_024)
            }
        }
    }

    @Test("Bytes behind the end of the stream are refused")
    func trailing() {
        var bytes = Deflate.deflate(ByteBuffer(string: "{}"))
        bytes.writeInteger(UInt8(0))
        #expect(throws: FrameError.doesNotInflate) { try Deflate.inflate(bytes, limit: 1_024) }
        bytes = Deflate.deflate(ByteBuffer(string: "{}"))
        bytes.writeImmutableBuffer(Deflate.deflate(ByteBuffer(string: "{}")))
        #expect(throws: FrameError.doesNotInflate) { try Deflate.inflate(bytes, limit: 1_024) }
    }

    @Test(
        "A stream that is no zlib is refused",
        arguments: [
            ("nothing", ""), ("JSON", "7b7d"), ("raw deflate without zlib's header", "abae0500"),
            ("a gzip stream", "1f8b0800000000000003abae050043bfa6a302000000"),
            ("a wrong checksum", "789cabae0500017500f8"),
            ("a wrong header check", "789dabae0500017500f9"), ("a preset dictionary", "78bb0000000100"),
        ]
    )
    func broken(what: String, hex: String) throws {
        let bytes = try ByteBuffer(plainHexEncodedBytes: hex)
        #expect(throws: FrameError.doesNotInflate, "\(what)") { try Deflate.inflate(bytes, limit: 1_024) }
    }

    @Test("A stream with one byte changed never gives other content than was compressed")
    func changed() throws {
        let payload = ByteBuffer(string: String(repeating: "abc", count: 50))
        let bytes = Array(Deflate.deflate(payload).readableBytesView)
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                guard let inflated = try? Deflate.inflate(ByteBuffer(bytes: other), limit: 1_024) else { continue }
                expect(inflated == payload, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("A stream of empty blocks inflates to nothing")
    func emptyBlocks() throws {
        let blocks = [UInt8]([0x78, 0x01]) + (0..<100_000).flatMap { _ in [UInt8]([0, 0, 0, 0xFF, 0xFF]) }
        let end: [UInt8] = [1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]
        expect(try Deflate.inflate(ByteBuffer(bytes: blocks + end), limit: 10) == ByteBuffer())
    }

    @Test("An output that just fits its limit takes no memory beyond it")
    func memory() throws {
        let count = 1 << 20
        let compressed = Deflate.deflate(ByteBuffer(repeating: 0x61, count: count - 100))
        expect(try Deflate.inflate(compressed, limit: count).storageCapacity == count)
    }
}

import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@Suite struct FrameBytesTests {
    /// Frames, and the bytes that they must have.
    private struct Sample {
        var frames = FrameBytes()
        var expected: [UInt8] = []

        var isRight: Bool { self.frames.withUnsafeBytes { $0.elementsEqual(self.expected) } }
    }

    private static func message(_ random: inout SeededRandom) -> ServerMessage {
        let text = String(repeating: "x", count: [3, 100, 300, 2_000].randomElement(using: &random) ?? 0)
        return Bool.random(using: &random) ? .ping : .refused(nil, Refusal(WireError(code: "limit", message: text)))
    }

    @Test("Copies and parts that share memory never change with each other")
    func sharing() {
        var random = SeededRandom.ofThisRun
        var samples = [Sample()]
        for _ in TestEffort.rounds(1_000) {
            let index = Int.random(in: samples.indices, using: &random)
            let other = samples[Int.random(in: samples.indices, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let message = Self.message(&random)
                samples[index].frames.append(message)
                var bytes = ByteBuffer()
                message.write(to: &bytes)
                samples[index].expected += bytes.readableBytesView
            case 2 where samples[index].expected.count + other.expected.count < 20_000:
                samples[index].frames.append(other.frames)
                samples[index].expected += other.expected
            case 3:
                let offset = Int.random(in: 0...other.expected.count, using: &random)
                let part = Sample(frames: other.frames.suffix(from: offset), expected: Array(other.expected[offset...]))
                samples.append(part)
            case 4: samples.append(other)
            default: samples[index].frames.removeAll(); samples[index].expected = []
            }
            if samples.count > 8 { samples.removeFirst() }
            #expect(!samples.contains { !$0.isRight }, "\(random.hint)")
        }
    }

    @Test("A message is the same bytes as in a buffer, long or short")
    func messages() {
        for length in 0...600 {
            let refusal = Refusal(WireError(code: "limit", message: String(repeating: "x", count: length)))
            let message = ServerMessage.refused(RequestID(7), refusal)
            var bytes = ByteBuffer()
            message.write(to: &bytes)
            expect(FrameBytes(message).buffer == bytes)
            expect(FrameBytes(copying: bytes) == FrameBytes(message))
        }
    }

    /// Messages with no, one and two long values.
    private static func longMessage(_ random: inout SeededRandom) throws -> ServerMessage {
        let value = JSONText.string(
            String(repeating: "x", count: FrameBytes.longBytes + .random(in: -9...9, using: &random))
        )
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .next(TerminalID(7), Valuation(value: value, revision: Revision(9), cause: nil))
        case 1: return .refused(nil, Refusal(WireError(code: "long", message: "m", data: value)))
        case 2:
            let wished = Changed(
                watch: WatchID(3),
                channel: try ChannelName("c"),
                revision: Revision(9),
                state: .open,
                value: value,
                wish: value,
                wishRevision: Revision(8)
            )
            return .changed(wished)
        default: return .pong
        }
    }

    @Test("Frames refer to long values, and every part of them has the same bytes as in a buffer")
    func longValues() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(12) {
            var (frames, bytes) = (FrameBytes(), ByteBuffer())
            var copies: [(FrameBytes, Int)] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let message = try Self.longMessage(&random)
                frames.append(message)
                message.write(to: &bytes)
                copies.append((frames, bytes.readableBytes))
            }
            #expect(frames.count == bytes.readableBytes && frames.buffer == bytes, "\(random.hint)")
            for (copy, count) in copies {
                expect(copy.buffer == bytes.getSlice(at: 0, length: count), "\(random.hint)")
            }
            let offset = Int.random(in: 0...bytes.readableBytes, using: &random)
            let rest = bytes.getSlice(at: offset, length: bytes.readableBytes - offset)
            expect(frames.suffix(from: offset).buffer == rest, "\(random.hint)")
            expect(frames.suffix(from: offset / 2).suffix(from: offset - offset / 2).buffer == rest, "\(random.hint)")
            expect(frames.copy(first: offset) == bytes.getSlice(at: 0, length: offset), "\(random.hint)")
            var payloads = 0
            frames.forEachPayload { _, _ in payloads += 1 }
            expect(payloads == copies.count, "\(random.hint)")
        }
    }

    @Test("A long value is not copied into its frame")
    func sharedValue() {
        let value = JSONText.string(String(repeating: "x", count: FrameBytes.longBytes))
        let frames = FrameBytes(.next(TerminalID(7), Valuation(value: value, revision: Revision(9), cause: nil)))
        var addresses: [UnsafeRawPointer?] = []
        frames.forEachPiece { piece in
            addresses.append(piece.baseAddress)
            return true
        }
        expect(addresses.count == 3)
        value.withBytes { #expect(addresses.contains($0.baseAddress)) }
    }

    @Test("A frame does not keep a long buffer of which its value is a small part")
    func partOfBuffer() {
        let buffer = ByteBuffer(repeating: UInt8(ascii: "1"), count: 4 * FrameBytes.longBytes)
        let value = JSONText(unchecked: buffer, range: 7..<FrameBytes.longBytes + 7)
        let frames = FrameBytes(.next(TerminalID(7), Valuation(value: value, revision: Revision(9), cause: nil)))
        frames.forEachPiece { piece in
            value.withBytes { #expect(piece.baseAddress != $0.baseAddress) }
            return true
        }
    }

    @Test("The payloads come out whole and in order, and the long ones compressed if asked")
    func payloads() throws {
        let lengths = [0, 1, 100, 5_000, 3]
        var frames = FrameBytes()
        for length in lengths {
            frames.append(
                .refused(nil, Refusal(WireError(code: "limit", message: String(repeating: "x", count: length))))
            )
        }
        var expected: [ByteBuffer] = []
        var bytes = frames.buffer
        let reader = FrameReader(maximumBytes: 1 << 20, inflates: true)
        while let payload = try reader.nextPayload(in: &bytes) { expected.append(payload) }

        var payloads: [ByteBuffer] = []
        frames.forEachPayload { payload, isCompressed in
            #expect(!isCompressed)
            payloads.append(ByteBuffer(bytes: payload))
        }
        expect(payloads == expected)

        var compressed: [Bool] = []
        frames.deflated(from: 1_000).forEachPayload { compressed.append($1) }
        expect(compressed == lengths.map { $0 > 1_000 })
        var inflated: [ByteBuffer] = []
        bytes = frames.deflated(from: 1_000).buffer
        while let payload = try reader.nextPayload(in: &bytes) { inflated.append(payload) }
        expect(inflated == expected)
    }
}

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
        for _ in 0..<3_000 {
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
            #expect(FrameBytes(message).buffer == bytes)
            #expect(FrameBytes(copying: bytes) == FrameBytes(message))
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
        #expect(payloads == expected)

        var compressed: [Bool] = []
        frames.deflated(from: 1_000).forEachPayload { compressed.append($1) }
        #expect(compressed == lengths.map { $0 > 1_000 })
        var inflated: [ByteBuffer] = []
        bytes = frames.deflated(from: 1_000).buffer
        while let payload = try reader.nextPayload(in: &bytes) { inflated.append(payload) }
        #expect(inflated == expected)
    }
}

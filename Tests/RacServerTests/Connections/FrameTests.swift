import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct FrameTests {
    @Test("Frames count the same wherever the stream is cut")
    func cutAnywhere() throws {
        let texts = [Wire.hello] + (1...3).map { #"{"op":"ping","id":\#($0)}"# }
        let bytes = Wire.frames(texts)
        for size in 1...bytes.readableBytes {
            let client = try EmbeddedDaemon().client()
            var rest = bytes
            while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
                try client.sayBytes(piece)
            }
            let heard = try client.heard().dropFirst().map(\.text)
            expect(heard == (1...3).map { #"{"op":"reply","id":\#($0)}"# }, "pieces of \(size) bytes")
            expect(client.handler.frames.input.unread.readableBytes == 0)
        }
    }

    @Test("The beginning of a frame does not keep the frames before it in memory")
    func keepsOnlyTheRest() throws {
        let client = try EmbeddedDaemon().welcomed()
        var bytes = Wire.frames((1...1_000).map { #"{"op":"ping","id":\#($0)}"# })
        bytes.writeBytes([0, 0])
        try client.sayBytes(bytes)
        expect(try client.heard().count == 1_000)
        expect(client.handler.frames.input.unread.readableBytes == 2)
        #expect(client.handler.frames.input.unread.capacity < 100)
    }

    @Test("Messages before a bad frame are answered, then comes the reason, then the end")
    func answersBeforeTheFault() throws {
        let client = try EmbeddedDaemon().welcomed()
        var bytes = Wire.frames([#"{"op":"set","id":1,"channel":"a","value":1}"#, #"{"op":"ping","id":2}"#])
        bytes.writeInteger(UInt32(1 << 30))
        bytes.writeImmutableBuffer(Wire.frame(#"{"op":"set","id":3,"channel":"a","value":3}"#))
        try client.sayBytes(bytes)
        let heard = try client.heard()
        expect(heard.count == 3)
        expect(heard.last?.code == "too-large")
        #expect(!client.isConnected)
    }

    @Test("Compressed frames that break the rules end the connection with bad-frame or too-large")
    func compressedFaults() throws {
        let bomb = Deflate.deflate(ByteBuffer(repeating: 0x20, count: 1 << 20))
        let broken = ByteBuffer(string: "this is no zlib stream")
        var behind = Deflate.deflate(ByteBuffer(string: #"{"op":"ping","id":1}"#))
        behind.writeString("more")
        for (payload, code) in [(bomb, "too-large"), (broken, "bad-frame"), (behind, "bad-frame")] {
            let client = try EmbeddedDaemon { $0.maximumFrameBytes = 1 << 19 }.welcomed(deflate: true)
            try client.sayBytes(Wire.frame(payload: payload, compressed: true))
            expect(try client.heard().map(\.code) == [code])
            #expect(!client.isConnected)
        }
        let client = try EmbeddedDaemon().welcomed()
        try client.sayBytes(Wire.frame(#"{"op":"ping","id":1}"#, compressed: true))
        expect(try client.heard().map(\.code) == ["bad-frame"])
    }

    @Test("Before the welcome a frame has at most 64 KiB, afterwards as much as the welcome says")
    func limits() throws {
        let daemon = EmbeddedDaemon { $0.maximumFrameBytes = 1 << 17 }
        let early = try daemon.client()
        try early.sayBytes(ByteBuffer(integer: UInt32(1 << 16 + 1)))
        expect(try early.heard().map(\.code) == ["too-large"])
        let client = try daemon.welcomed()
        let frame = #"{"op":"set","id":1,"channel":"a","value":VALUE}"#
        let value = JSONText.filler(bytes: 1 << 17 - frame.utf8.count + 5)
        let longest = frame.replacing("VALUE", with: value)
        try #require(longest.utf8.count == 1 << 17)
        #expect(try client.ask(longest).text.contains(#""op":"reply""#))
        try client.say(longest + " ")
        expect(try client.heard().map(\.code) == ["too-large"])
    }

    @Test("Large payloads are compressed for a client that agreed to it; small ones, and those for others, are not")
    func deflates() throws {
        let daemon = EmbeddedDaemon()
        let writer = try daemon.welcomed()
        let readers = try [true, false, true].map(daemon.welcomed(deflate:))
        for reader in readers { _ = try reader.bind("a") }
        let large = JSONText.filler(bytes: 100_000)
        _ = try writer.ask(#"{"op":"set","id":2,"channel":"a","value":\#(large)}"#)
        let heard = try readers.map { try $0.heard() }
        expect(heard.map { $0.map(\.value) } == [[large], [large], [large]])
        expect(heard.map { $0.map(\.isCompressed) } == [[true], [false], [true]])
        _ = try writer.ask(#"{"op":"set","id":3,"channel":"a","value":"small"}"#)
        expect(try readers.map { try $0.heard().map(\.isCompressed) } == [[false], [false], [false]])
    }

    @Test("A tick compresses a limited number of bytes, and sends the rest as it is; the next tick compresses again")
    func deflatesWithinBound() throws {
        let daemon = EmbeddedDaemon()
        let count = 5
        let clients = try daemon.onOneLoop(count) { try daemon.welcomed(deflate: true) }
        let value = JSONText.filler(bytes: DeflatedFrames.bytesPerTick / 2 - 1_000)
        _ = try clients[0].ask(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        for _ in 1...2 {
            for client in clients { try client.sayInOnePiece(Wire.frame(#"{"op":"get","id":2,"channel":"a"}"#)) }
            daemon.run()
            let heard = try clients.flatMap { try $0.heard() }
            expect(heard.count == count)
            expect(heard.count { $0.isCompressed } == 2)
            for answer in heard { #expect(answer.text.contains(value)) }
        }
    }

    @Test("Compressing a shared frame once does not mix it up with others")
    func sharedDeflate() throws {
        var random = SeededRandom.ofThisRun
        var deflated = DeflatedFrames()
        for tick in 0..<20 {
            for _ in 0..<20 {
                let count = Int.random(in: 900...3_000, using: &random)
                let value = try JSONText(JSONText.filler(bytes: count))
                let frames = FrameBytes(
                    .next(TerminalID(1), Valuation(value: value, revision: Revision(UInt64(tick + 1)), cause: nil))
                )
                let expected = frames.deflated(from: DeflatedFrames.threshold)
                let both = [deflated.deflated(frames), deflated.deflated(frames)]
                expect(both == [expected, expected], "\(random.hint)")
            }
            deflated.endTick()
        }
    }
}

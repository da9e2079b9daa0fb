import Expectations
import NIOCore
import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite struct FrameInputTests {
    private static let send = #"{"op":"next","t":1,"n":1,"value":7}"#
    private static let ping = #"{"op":"ping"}"#

    private static func welcomed(maximumBytes: Int = 1 << 20, aheadBytes: Int = 1 << 16) -> FrameInput {
        var input = FrameInput(maximumBytes: 1 << 10, aheadBytes: aheadBytes)
        input.welcomed(maximumBytes: maximumBytes, inflates: true)
        input.begin(room: .max)
        return input
    }

    private static func next(_ input: inout FrameInput) throws -> FrameInput.Next { try input.next() }

    /// All payloads that the input gives without waiting.
    private static func payloads(_ input: inout FrameInput) throws -> [String] {
        var payloads: [String] = []
        while case .payload(let payload) = try input.next() { payloads.append(String(buffer: payload)) }
        return payloads
    }

    @Test("Bytes that come one at a time give the payloads of whole frames")
    func byteByByte() throws {
        var input = Self.welcomed()
        var bytes = Wire.frames([Self.ping, Self.send, Self.ping])
        var payloads: [String] = []
        while let byte = bytes.readSlice(length: 1) {
            input.received(byte)
            payloads += try Self.payloads(&input)
        }
        expect(payloads == [Self.ping, Self.send, Self.ping])
        expect(input.unread.readableBytes == 0)
    }

    @Test("Plain sends are a burst only behind the welcome")
    func bursts() throws {
        var input = FrameInput(maximumBytes: 1 << 10, aheadBytes: 1 << 16)
        input.begin(room: .max)
        input.received(Wire.frames([Self.send, Self.send, Self.ping]))
        #expect(!input.mayHaveSends)
        input.welcomed(maximumBytes: 1 << 20, inflates: false)
        #expect(input.mayHaveSends)
        expect(Self.takeSends(&input) == 2)
        expect(try Self.payloads(&input) == [Self.ping])
        #expect(!input.mayHaveSends)
    }

    /// Takes the sends at the front and returns their number.
    private static func takeSends(_ input: inout FrameInput) -> Int {
        let buffer = input.unread
        let bytes = buffer.readableBytesUInt8Span
        var sends = input.sends(in: buffer, overhead: 0)
        var count = 0
        while sends.next(in: bytes) != nil {
            sends.take()
            count += 1
        }
        input.tookSends(sends.end, counting: sends.countedBytes)
        return count
    }

    @Test("A client that is too far ahead is held until the host has taken enough")
    func held() throws {
        var input = Self.welcomed(aheadBytes: 20)
        input.received(Wire.frames([Self.ping, Self.ping, Self.ping]))
        for _ in 0..<2 {
            guard case .payload(let payload) = try input.next() else { throw Surprise(what: "a payload is missing") }
            input.passed(payload.readableBytes)
        }
        expect(input.reading == .held)
        expect(try Self.next(&input) == .nothing)
        #expect(!input.mayHaveSends)
        let (few, enough) = (input.taken(3), input.taken(5))
        #expect(!few && enough)
        input.readOn()
        expect(try Self.payloads(&input) == [Self.ping])
    }

    @Test("A burst goes no further than the window, but for the end of its last send")
    func burstInWindow() {
        var input = Self.welcomed(aheadBytes: Self.send.utf8.count + 1)
        input.received(Wire.frames([Self.send, Self.send, Self.send]))
        expect(Self.takeSends(&input) == 2)
        expect(input.reading == .held)
        expect(input.unread.readableBytes == Self.send.utf8.count + 4)
    }

    @Test("A client that has spent its units waits for its turn, and its frames too")
    func turns() throws {
        var input = Self.welcomed()
        input.received(Wire.frames([Self.ping, Self.ping, Self.send]))
        input.begin(room: Work.decoding + 1)
        expect(try Self.payloads(&input) == [Self.ping, Self.ping])
        expect(input.reading == .queued)
        #expect(!input.mayHaveSends)
        input.readOn()
        input.begin(room: 1)
        #expect(input.mayHaveSends)
        expect(try Self.payloads(&input) == [Self.send])
    }

    @Test("Inflating costs units, and so does a stream that is none")
    func inflating() throws {
        let text = #"{"op":"ping","x":"\#(String(repeating: "x", count: 6_400))"}"#
        var input = Self.welcomed()
        input.received(Wire.frame(payload: Deflate.deflate(ByteBuffer(string: text)), compressed: true))
        input.begin(room: 1_000)
        expect(try Self.next(&input) == .payload(ByteBuffer(string: text)))
        expect(input.room == 1_000 - Work.decoding - Work.bytesRead(text.utf8.count))
        input.received(Wire.frame(payload: ByteBuffer(string: "no stream"), compressed: true))
        #expect(throws: FrameError.doesNotInflate) { try input.next() }
        #expect(input.room < 0)
    }

    @Test("A long frame is taken apart, frames behind it wait, and its bytes count", arguments: [false, true])
    func long(isCompressed: Bool) throws {
        let text = #"{"op":"ping","x":"\#(String(repeating: "x", count: LongFrame.plainBytes))"}"#
        let payload = ByteBuffer(string: text)
        var input = Self.welcomed()
        input.received(
            Wire.frame(payload: isCompressed ? Deflate.deflate(payload) : payload, compressed: isCompressed)
        )
        input.received(Wire.frame(Self.ping))
        expect(try Self.next(&input) == .long)
        expect(input.reading == .apart)
        expect(try Self.next(&input) == .nothing)
        let kept = input.keptBytes
        let taken = input.takeLong()
        let frame = try #require(taken)
        expect(input.keptBytes == kept - 4)
        #expect(input.unread.capacity < 100)
        expect(try frame.payload() == payload)
        let waits = input.wasRead()
        #expect(waits)
        expect(input.keptBytes == Self.ping.utf8.count + 4)
        expect(try Self.payloads(&input) == [Self.ping])
    }

    @Test("A client that is dismissed does not wait for its long frame")
    func longOfDismissed() throws {
        var input = Self.welcomed()
        input.received(Wire.frame(String(repeating: " ", count: LongFrame.plainBytes + 1)))
        expect(try Self.next(&input) == .long)
        let wasHeld = input.isHeld
        input.dismiss()
        let frame = input.takeLong()
        let waits = input.wasRead()
        #expect(wasHeld && frame == nil && !waits)
    }

    @Test("A frame longer than the limit ends the input, before the welcome at a shorter limit")
    func tooLong() throws {
        let long = String(repeating: " ", count: 2_000)
        var input = FrameInput(maximumBytes: 1 << 10, aheadBytes: 1 << 16)
        input.begin(room: .max)
        input.received(Wire.frame(long))
        #expect(throws: FrameError.tooLarge(bytes: 2_000, limit: 1 << 10)) { try input.next() }
        input.welcomed(maximumBytes: 2_000, inflates: false)
        expect(try Self.payloads(&input) == [long])
    }

    @Test("A compressed frame that was not agreed on, or is no zlib stream, is an error")
    func faults() throws {
        let frame = Wire.frame(payload: ByteBuffer(string: "no stream"), compressed: true)
        var plain = FrameInput(maximumBytes: 1 << 10, aheadBytes: 1 << 16)
        plain.begin(room: .max)
        plain.received(frame)
        #expect(throws: FrameError.deflateNotAgreed) { try plain.next() }
        var input = Self.welcomed()
        input.received(frame)
        #expect(throws: FrameError.doesNotInflate) { try input.next() }
    }

    @Test("The beginning of a frame does not keep the memory of earlier frames")
    func releasesMemory() throws {
        var input = Self.welcomed()
        var bytes = Wire.frames(Array(repeating: Self.ping, count: 1_000))
        bytes.writeBytes([0, 0])
        input.received(bytes)
        expect(try Self.payloads(&input).count == 1_000)
        input.releaseMemory()
        expect(input.unread.readableBytes == 2)
        #expect(input.unread.capacity < 100)
    }

    @Test("Dismissed input forgets its bytes, and the client waits no more")
    func dismissed() throws {
        var input = Self.welcomed(aheadBytes: 1)
        input.received(Wire.frames([Self.ping, Self.ping]))
        guard case .payload = try input.next() else { throw Surprise(what: "a payload is missing") }
        input.passed(13)
        #expect(input.isHeld)
        input.dismiss()
        expect(input.reading == .on)
        expect(input.keptBytes == 0)
        expect(try Self.next(&input) == .nothing)
    }

    @Test("The memory of read bytes goes while frames wait for their turn")
    func memoryOfWaiting() throws {
        let frame = Wire.frame(String(repeating: "x", count: 1000))
        var input = FrameInput(maximumBytes: 1 << 20, aheadBytes: 1 << 20)
        input.received(frame)
        for _ in 0..<1000 {
            input.received(frame)
            input.readOn()
            input.begin(room: 1)
            while case .payload = try input.next() {}
            expect(input.reading == .queued)
        }
        #expect(input.unread.storageCapacity <= 8 << 10)
    }
}

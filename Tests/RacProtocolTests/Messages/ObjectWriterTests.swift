import Expectations
import NIOCore
import RacProtocol
import Testing

@Suite struct ObjectWriterTests {
    @Test("Every member is written whole, whatever the length of the text before it")
    func lengths() throws {
        for length in 0...600 {
            let text = String(repeating: "x", count: length)
            let error = WireError(code: "limit", message: text, data: .string(text))
            let revision = Revision(UInt64(Int64.max))
            let standing = Valuation(value: .string(text), revision: revision, cause: revision)
            var refusal = Refusal(error, standing: standing)
            refusal.index = 7
            let message = ServerMessage.refused(RequestID(-1), refusal)
            var bytes = ByteBuffer()
            message.write(to: &bytes)
            let payload = try FrameReader(maximumBytes: 1 << 20, inflates: false).nextPayload(in: &bytes)
            expect(try ServerMessage.read(payload: try #require(payload)) { _ in nil } == message)
            expect(bytes.readableBytes == 0)
        }
    }

    @Test("An object may stand behind what the buffer has already, and be empty")
    func behind() {
        var bytes = ByteBuffer(string: "[")
        bytes.writeObject { _ in }
        bytes.writeObject { $0.write(.t, UInt64(7)) }
        expect(String(buffer: bytes) == "[{}{\"t\":7}")
    }

    @Test("Numbers have as many digits as they need")
    func digits() {
        var numbers: [UInt64] = [0, .max, .max - 1]
        var power: UInt64 = 1
        for _ in 1..<20 {
            power *= 10
            numbers += [power - 1, power, power + 1]
        }
        for number in numbers {
            var bytes = ByteBuffer()
            bytes.writeDecimal(number)
            expect(String(buffer: bytes) == String(number))
        }
    }
}

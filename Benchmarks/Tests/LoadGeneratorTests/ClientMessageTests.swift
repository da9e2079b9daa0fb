import LoadGenerator
import Testing

@Suite struct ClientMessageTests {
    @Test("A frame is the length of its payload in four bytes, the highest first, and the payload")
    func header() {
        let frame = ClientMessage.pong.frame
        #expect(frame.prefix(4) == [0, 0, 0, 13])
        #expect(String(decoding: frame.dropFirst(4), as: UTF8.self) == #"{"op":"pong"}"#)
    }

    @Test("A length of more than a byte is written in its order")
    func longFrame() {
        let frame = ClientMessage.next(terminal: 1, number: 1, value: NumberedValue(1, byteCount: 1000)).frame
        #expect(Int(frame[2]) << 8 | Int(frame[3]) == frame.count - 4)
        #expect(frame[0...1] == [0, 0])
    }

    @Test("A numbered value has the length that was asked for and tells its number")
    func numberedValue() {
        let message = ClientMessage.next(terminal: 7, number: 12, value: NumberedValue(34, byteCount: 20))
        let payload = String(decoding: message.frame.dropFirst(4), as: UTF8.self)
        #expect(payload == #"{"op":"next","t":7,"n":12,"value":"000000000000000034"}"#)
        #expect(Message(payload).number("value") == 34)
    }

    @Test("Messages are appended one behind the other")
    func appending() {
        var bytes: [UInt8] = []
        ClientMessage.hello.append(to: &bytes)
        ClientMessage.pong.append(to: &bytes)
        #expect(bytes == ClientMessage.hello.frame + ClientMessage.pong.frame)
    }
}

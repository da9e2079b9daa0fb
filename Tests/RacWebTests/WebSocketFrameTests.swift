import Expectations
import NIOCore
import RacProtocol
import RacWeb
import Testing

/// The daemon's messages behind the headers of a WebSocket.
@Suite struct WebSocketFrameTests {
    private static func messages(_ frames: FrameBytes) -> [(header: [UInt8], payload: String)] {
        var bytes = frames.asWebSocketMessages.buffer
        var messages: [(header: [UInt8], payload: String)] = []
        while let start = bytes.getBytes(at: bytes.readerIndex, length: 2) {
            let count = start[1] == 126 ? 4 : start[1] == 127 ? 10 : 2
            let header = bytes.readBytes(length: count) ?? []
            let length = count == 2 ? Int(header[1]) : header.dropFirst(2).reduce(0) { $0 << 8 | Int($1) }
            messages.append((header, bytes.readString(length: length) ?? "cut off"))
        }
        expect(bytes.readableBytes == 0)
        return messages
    }

    @Test(
        "Each frame becomes a text message with the shortest header",
        arguments: [0, 20, 60, 100, 500, 70_000, 200_000]
    )
    func headers(length: Int) throws {
        let value = JSONText.string(String(repeating: "v", count: length))
        var frames = FrameBytes()
        for terminal in [1, 2] as [UInt64] {
            frames.append(Valuation(value: value, revision: Revision(41), cause: nil), of: TerminalID(terminal))
        }
        frames.append(FrameBytes(.pong))
        let messages = Self.messages(frames)
        try #require(messages.count == 3)
        let expected = #"{"op":"next","t":2,"rev":41,"value":\#(value.text)}"#
        expect(messages[1].payload == expected)
        expect(messages[0].payload.utf8.count == expected.utf8.count)
        expect(messages[2].payload == #"{"op":"pong"}"#)
        let count = expected.utf8.count
        expect(messages[1].header.count == (count < 126 ? 2 : count <= 0xFFFF ? 4 : 10))
        #expect(messages.allSatisfy { $0.header[0] == 0x81 })
    }

    @Test("A close frame has at most 125 bytes, and ends with a whole character")
    func close() {
        let frame = FrameBytes.webSocketClose(1009, String(repeating: "é", count: 100)).buffer
        expect(Array(frame.readableBytesView.prefix(4)) == [0x88, 124, 0x03, 0xF1])
        #expect(String(validating: frame.readableBytesView.dropFirst(4), as: UTF8.self) != nil)
    }
}

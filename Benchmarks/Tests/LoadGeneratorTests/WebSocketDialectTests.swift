import LoadGenerator
import Testing

@Suite struct WebSocketDialectTests {
    private static let rac = WebSocketDialect(RacDialect(isFramed: false), at: .rac)
    private static let nats = WebSocketDialect(NATSDialect(name: 0), at: .nats)
    private static let switching = Array(
        """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        \r\n
        """.utf8
    )

    /// A server's frame: the first byte has the kind, and whether it is the last of its message.
    private static func frame(_ first: UInt8, _ payload: String) -> [UInt8] {
        let bytes = Array(payload.utf8)
        if bytes.count < 126 { return [first, UInt8(bytes.count)] + bytes }
        return [first, 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// The payloads of a client's frames behind their first bytes, unmasked.
    private static func messages(_ bytes: [UInt8]) -> [(first: UInt8, text: String)] {
        var messages: [(UInt8, String)] = []
        var start = 0
        while start < bytes.count {
            #expect(bytes[start + 1] & 0x80 != 0)
            var (count, mask) = (Int(bytes[start + 1] & 0x7F), start + 2)
            if count == 126 { (count, mask) = (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]), start + 4) }
            let payload = (0..<count).map { bytes[mask + 4 + $0] ^ bytes[mask + $0 % 4] }
            messages.append((bytes[start], String(decoding: payload, as: UTF8.self)))
            start = mask + 4 + count
        }
        return messages
    }

    @Test("A message of rac is a text message, and what racd says is read alike however it is cut")
    func rac() throws {
        let long = "\"" + String(repeating: "0", count: 300) + "0000000700000002\""
        let transcript = Transcript(
            Self.switching + Self.frame(0x81, #"{"op":"welcome","version":1}"#)
                + Self.frame(0x81, #"{"op":"next","t":13,"rev":44,"value":"000000000700000001"}"#)
                + Self.frame(0x89, "who?") + Self.frame(0x81, #"{"op":"ping"}"#)
                + Self.frame(0x81, #"{"op":"next","t":13,"rev":45,"value":\#(long)}"#)
        )
        let readings = try transcript.readings(by: Self.rac)
        #expect(readings.count == 1)
        #expect(readings[0].list == [.opened, .value(7, 1), .value(7, 2)])
        let answers = Self.messages(readings[0].answer)
        #expect(answers.map(\.first) == [0x81, 0x8A, 0x81])
        #expect(answers.map(\.text) == [#"{"op":"hello","version":1,"agent":"compare/1"}"#, "who?", #"{"op":"pong"}"#])
    }

    @Test("A stream goes on from one message to the next one")
    func stream() throws {
        let transcript = Transcript(
            Self.switching + Self.frame(0x82, "INFO {}\r\nPO") + Self.frame(0x82, "NG\r\nMSG bench.2 2 18\r\n\"000")
                + Self.frame(0x02, "00002000") + Self.frame(0x80, "00007\"\r\nPING\r\n")
        )
        let readings = try transcript.readings(by: Self.nats)
        #expect(readings.count == 1)
        #expect(readings[0].list == [.opened, .value(2, 7)])
        #expect(Self.messages(readings[0].answer).map(\.text).last == "PONG\r\n")
    }

    @Test(
        "No upgrade, no proof, a close, a fragment of text, a masked frame and one that is too long are thrown",
        arguments: [
            Array("HTTP/1.1 403 Forbidden\r\n\r\n".utf8), Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8),
            switching + frame(0x88, ""), switching + frame(0x01, "{"), switching + [0x81, 0x80, 0, 0, 0, 0],
            switching + [0x81, 127, 0, 0, 0, 0, 0x7F, 0, 0, 0],
        ]
    )
    func faults(bytes: [UInt8]) {
        #expect(throws: ProtocolError.self) { try Transcript(bytes).read(by: Self.rac, cutAt: []) }
    }

    @Test("Each value is a message of its own, short or long, behind a mask of its own", arguments: [18, 256])
    func sending(byteCount: Int) {
        var dialect = Self.nats
        var bytes: [UInt8] = []
        for number in 1...2 {
            dialect.send(NumberedValue(channel: 2, number: number), byteCount: byteCount, into: &bytes)
        }
        let zeros = String(repeating: "0", count: byteCount - 18)
        let messages = Self.messages(bytes)
        #expect(messages.map(\.first) == [0x82, 0x82])
        let texts = (1...2).map { "PUB bench.2 \(byteCount)\r\n\"\(zeros)000000020000000\($0)\"\r\n" }
        #expect(messages.map(\.text) == texts)
        let (half, head) = (bytes.count / 2, byteCount == 18 ? 2 : 4)
        #expect(bytes[head..<head + 4] != bytes[half + head..<half + head + 4])
    }

    @Test("The opening asks for the place with its subprotocol")
    func opening() {
        let rac = String(decoding: Self.rac.opening(), as: UTF8.self)
        #expect(rac.hasPrefix("GET /rac HTTP/1.1\r\n"))
        #expect(rac.contains("\r\nSec-WebSocket-Protocol: rac.v1\r\n"))
        #expect(rac.hasSuffix("\r\n\r\n"))
        #expect(!String(decoding: Self.nats.opening(), as: UTF8.self).contains("Protocol:"))
    }
}

import LoadGenerator
import Testing

@Suite struct NATSDialectTests {
    private static func answer(_ payload: String) -> String {
        "MSG inbox.0 i \(payload.utf8.count)\r\n\(payload)\r\n"
    }

    @Test("A server's messages are read alike however they are cut")
    func reading() throws {
        let transcript = Transcript(
            "INFO {\"server_id\":\"x\"}\r\nPONG\r\nPONG\r\nPING\r\n"
                + "MSG bench.2 2 18\r\n\"0000000200000007\"\r\n"
                + "MSG bench.3 w $JS.ACK.bench 18\r\n\"0000000300000001\"\r\n"
                + Self.answer(#"{"stream":"bench","seq":12}"#)
                + Self.answer(#"{"type":"io.nats.jetstream.api.v1.consumer_create_response"}"#)
        )
        let expected = Arrivals(
            [.opened, .bound, .value(2, 7), .value(3, 1), .answered],
            answer: "PONG\r\n"
        )
        #expect(try transcript.readings(by: NATSDialect(name: 0)) == [expected])
    }

    @Test(
        "An error of the server or of JetStream, and a message without a length, are thrown",
        arguments: [
            "-ERR 'Slow Consumer'\r\n", "MSG bench.2 2 x\r\n",
            Self.answer(#"{"type":"x","error":{"description":"no"}}"#), Self.answer("{}"),
        ]
    )
    func faults(text: String) {
        #expect(throws: ProtocolError.self) { try Transcript(text).read(by: NATSDialect(name: 0), cutAt: []) }
    }

    @Test("A client with credentials says user and password")
    func login() {
        let opening = NATSDialect(name: 0, Credentials(user: "ab", secret: "cde")).opening()
        let text = String(decoding: opening, as: UTF8.self)
        #expect(text.hasSuffix(#","version":"1","user":"ab","pass":"cde"}"# + "\r\nPING\r\n"))
    }

    @Test("A value is sent by PUB, and stored with a subject for the answer that is subscribed to once")
    func writing() {
        let value = NumberedValue(channel: 2, number: 7)
        let sent = written(by: NATSDialect(name: 4)) { $0.send(value, byteCount: 18, into: &$1) }
        #expect(sent == "PUB bench.2 18\r\n\"0000000200000007\"\r\n")
        let stored = written(by: NATSDialect(name: 4)) { dialect, bytes in
            dialect.store(value, byteCount: 18, durably: true, into: &bytes)
            dialect.store(value, byteCount: 18, durably: true, into: &bytes)
        }
        let one = "PUB bench.2 inbox.4 18\r\n\"0000000200000007\"\r\n"
        #expect(stored == "SUB inbox.4 i\r\n" + one + one)
    }
}

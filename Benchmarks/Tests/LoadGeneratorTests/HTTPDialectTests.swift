import LoadGenerator
import Testing

@Suite struct HTTPDialectTests {
    private static let interfaces: [HTTPDialect.Interface] = [.rac, .webdis, .etcd]

    private static func answer(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nServer: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A dialect behind a request, and its opening before that.
    private static func dialect(
        _ interface: HTTPDialect.Interface,
        _ request: (inout HTTPDialect, inout [UInt8]) -> Void
    ) -> HTTPDialect {
        var dialect = HTTPDialect(interface)
        var bytes: [UInt8] = []
        request(&dialect, &bytes)
        return dialect
    }

    private static func asking(_ interface: HTTPDialect.Interface) -> HTTPDialect {
        self.dialect(interface) { $0.ask(for: 2, into: &$1) }
    }

    @Test("A value is read from the body as the server has it there, however it is cut")
    func values() throws {
        let base64 = "IjAwMDAwMDAyMDAwMDAwMDci"
        let etcd = #"{"header":{"revision":"9"},"kvs":[{"key":"YQ==","version":"1","value":"\#(base64)"}],"count":"1"}"#
        for (interface, body) in zip(Self.interfaces, ["\"0000000200000007\"", "\"0000000200000007\"", etcd]) {
            let transcript = Transcript(Self.answer("200 OK", body))
            #expect(try transcript.readings(by: Self.asking(interface)) == [Arrivals([.value(2, 7)])])
        }
    }

    @Test(
        "A server is there if it answers, with a value or without",
        arguments: ["200 OK", "204 No Content", "404 Not found"]
    )
    func opening(status: String) throws {
        let transcript = Transcript(Self.answer(status, ""))
        #expect(try transcript.readings(by: HTTPDialect(.rac)) == [Arrivals([.opened])])
    }

    @Test("A value that is not there, another value and a refusal are thrown", arguments: interfaces)
    func faults(interface: HTTPDialect.Interface) {
        let put = Self.dialect(interface) {
            $0.store(NumberedValue(channel: 2, number: 7), byteCount: 18, durably: false, into: &$1)
        }
        for answer in [Self.answer("404 Not Found", ""), Self.answer("200 OK", "{}")] {
            #expect(throws: ProtocolError.self) {
                try Transcript(answer).read(by: Self.asking(interface), cutAt: [])
            }
        }
        for dialect in [put, HTTPDialect(interface)] {
            #expect(throws: ProtocolError.self) {
                try Transcript(Self.answer("503 Service Unavailable", "")).read(by: dialect, cutAt: [])
            }
        }
    }

    @Test("Values are stored and asked for by each server's requests")
    func requests() {
        let value = NumberedValue(channel: 2, number: 7)
        let host = " HTTP/1.1\r\nHost: localhost\r\n"
        let texts = Self.interfaces.map { interface in
            written(by: HTTPDialect(interface)) { dialect, bytes in
                dialect.ask(for: 2, into: &bytes)
                dialect.store(value, byteCount: 18, durably: false, into: &bytes)
            }
        }
        let body = "Content-Length: 18\r\n\r\n\"0000000200000007\""
        let (range, put) = (#"{"key":"YmVuY2gvMg=="}"#, #"{"key":"YmVuY2gvMg==","value":"IjAwMDAwMDAyMDAwMDAwMDci"}"#)
        let expected = [
            "GET /v1/channels/bench/2\(host)\r\nPUT /v1/channels/bench/2\(host)\(body)",
            "GET /GET/bench:2.txt\(host)\r\nPUT /SET/bench:2\(host)\(body)",
            "POST /v3/kv/range\(host)Content-Length: 22\r\n\r\n\(range)POST /v3/kv/put\(host)Content-Length: 57\r\n\r\n\(put)",
        ]
        #expect(texts == expected)
    }
}

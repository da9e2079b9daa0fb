import NIOCore
import RacProtocol
import Testing

@testable import RacServer

/// The bodies of requests: in chunks, and long ones.
@Suite(.oneThreadAndThree) struct HTTPBodyTests {
    private static let head = "PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test("A body comes in chunks however short they are", arguments: [(1, 32_000), (16, 256_000)])
    func shortChunks(length: Int, bytes: Int) throws {
        let web = try WebClient(EmbeddedDaemon())
        let body = JSONText.filler(bytes: bytes)
        let chunk = "\(String(length, radix: 16))\r\n\(String(repeating: "x", count: length))\r\n"
        let chunks = "1\r\n\"\r\n" + String(repeating: chunk, count: (body.utf8.count - 2) / length)
        let rest = (body.utf8.count - 2) % length
        let end = "\(String(rest + 1, radix: 16))\r\n\(body.suffix(rest + 1))\r\n0\r\n\r\n"
        #expect(try web.say(Self.head + chunks + end).status == 200)
        #expect(try web.ask("GET /v1/channels/a").body == body)
    }

    @Test("A body whose chunks have long extensions, or whose trailers are long, is refused")
    func longFraming() throws {
        let long = String(repeating: "x", count: 70_000)
        let value = "10000\r\n\"\(String(repeating: "x", count: 65_534))\"\r\n"
        let extensions = String(repeating: "1;\(String(repeating: "x", count: 100))\r\n1\r\n", count: 1_000)
        for body in ["1;\(long)\r\n1\r\n0\r\n\r\n", extensions, "\(value)0\r\nTrailer: \(long)\r\n\r\n"] {
            #expect(try WebClient(EmbeddedDaemon()).say(Self.head + body).status == 400)
        }
    }
}

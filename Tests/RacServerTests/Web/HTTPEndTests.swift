import Expectations
import NIOCore
import RacProtocol
import Testing

@testable import RacServer

/// A client of HTTP that sends nothing more, and still reads.
@Suite(.oneThreadAndThree) struct HTTPEndTests {
    @Test("A request whose head came with the end of the one before is answered, though the client sends nothing more")
    func cutRequest() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        _ = try web.ask("PUT /v1/channels/a", body: "1")
        let head = "GET /v1/channels/a HTTP/1.1\r\nHost: localhost\r\n\r"
        let pieces = [head, "\n" + WebClient.request("GET /v1/channels/a")]
        for piece in pieces { try web.client.sayInOnePiece(ByteBuffer(string: piece)) }
        web.client.endInput()
        expect(try web.heard().ranges(of: "HTTP/1.1 200 OK").count == 2)
        #expect(web.client.handler.closing.isEnded)
    }

    @Test(
        "A stream or an execution behind another request does not begin for a client that sends nothing more",
        arguments: ["GET /v1/watch", "POST /v1/commands/c"]
    )
    func waitingStream(line: String) throws {
        let daemon = EmbeddedDaemon()
        let host = try daemon.welcomed()
        _ = try host.ask(#"{"op":"host","id":1,"command":"c"}"#)
        let web = try WebClient(daemon)
        let requests = WebClient.request("PUT /v1/channels/a", body: "1") + WebClient.request(line)
        try web.client.sayInOnePiece(ByteBuffer(string: requests))
        web.client.endInput()
        expect(try web.heard().ranges(of: "HTTP/1.1 200 OK").count == 1)
        #expect(try host.heard().isEmpty)
        #expect(web.client.handler.closing.isEnded)
    }
}

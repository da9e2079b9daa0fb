import Expectations
import NIOCore
import NIOEmbedded
import RacAccess
import RacProtocol
import Testing

@testable import RacServer

/// The protocol in the messages of a WebSocket.
@Suite(.oneThreadAndThree) struct WebSocketTests {
    private static let hello = #"{"op":"hello","version":1,"deflate":true}"#

    private static func welcomed(_ daemon: EmbeddedDaemon) throws -> WebClient {
        let client = try WebClient.webSocket(daemon)
        let welcome = try client.ask(message: Self.hello)
        guard welcome.count == 1, welcome[0].contains("welcome") else { throw Surprise(what: "\(welcome)") }
        return client
    }

    @Test("Connected clients are listed with the transport of each")
    func transports() throws {
        let daemon = EmbeddedDaemon()
        let socket = try WebClient.webSocket(daemon)
        _ = try socket.ask(message: Wire.hello)
        let stream = try WebClient(daemon)
        _ = try stream.ask("GET /v1/watch")
        let who = try daemon.welcomed().ask(#"{"op":"who","id":1}"#).text
        let told = who.matches(of: /"via":"(\w+)"/).map { String($0.output.1) }
        expect(told.sorted() == ["http", "tcp", "websocket"])
        #expect(stream.client.isConnected)
    }

    @Test("The answer to the upgrade is the one of RFC 6455")
    func handshake() throws {
        let answer = try WebClient(EmbeddedDaemon()).ask("GET /rac", WebClient.upgrade)
        expect(answer.status == 101)
        expect(answer.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        expect(answer.header("Sec-WebSocket-Protocol") == "rac.v1")
    }

    @Test("A request that does not fit begins no WebSocket", arguments: [0, 1, 2, 3, 4])
    func badHandshake(dropped: Int) throws {
        var headers = WebClient.upgrade
        headers.remove(at: dropped)
        let answer = try WebClient(EmbeddedDaemon()).ask("GET /rac", headers)
        #expect([400, 426].contains(answer.status))
        expect((answer.header("Connection")?.contains("Upgrade") == true) == (answer.status == 426))
    }

    @Test("Messages go both ways without frames, and no payload is compressed")
    func messages() throws {
        let daemon = EmbeddedDaemon()
        let client = try WebClient.webSocket(daemon)
        let welcome = try client.ask(message: Self.hello)
        expect(welcome.first?.contains(#""deflate":false"#) == true)
        let rac = try daemon.welcomed()
        let reply = try client.ask(message: #"{"op":"bind","id":1,"channel":"a"}"#)
        expect(reply.first?.contains(#""op":"reply","id":1"#) == true)
        let long = String(repeating: "v", count: 100_000)
        for value in ["7", "\"\(String(repeating: "v", count: 500))\"", "\"\(long)\""] {
            _ = try rac.ask(#"{"op":"set","id":2,"channel":"a","value":\#(value)}"#)
            let heard = try client.heardMessages()
            #expect(heard.count == 1 && heard[0].hasSuffix(#""value":\#(value)}"#))
        }
        let terminal = try #require(reply[0].firstMatch(of: /"t":(\d+)/)?.1)
        let ack = try client.ask(message: #"{"op":"next","t":\#(terminal),"n":1,"value":"\#(long)"}"#)
        expect(ack.first?.contains(#""op":"ack""#) == true)
    }

    @Test(
        "A WebSocket that waits for its turn is read until many bytes wait, welcomed or not",
        arguments: [false, true]
    )
    func readsOn(isWelcomed: Bool) throws {
        let daemon = EmbeddedDaemon()
        let client = try isWelcomed ? Self.welcomed(daemon) : WebClient.webSocket(daemon)
        let (channel, handler) = (client.client.channel, client.client.handler)
        let reads = ReadCount()
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        handler.loop.enterTick()
        handler.loop.spent(ReadTurns.units, by: handler)
        let ping = WebClient.frame("", first: 0x89)
        var counts: [Int] = []
        for bytes in [10, 2 * ReadTurns.fewBytes] {
            var pings = ByteBuffer()
            while pings.readableBytes < bytes { pings.writeImmutableBuffer(ping) }
            try client.client.sayInOnePiece(pings)
            expect(handler.frames.input.reading == .queued)
            let before = reads.count
            channel.read()
            counts.append(reads.count - before)
        }
        expect(counts == [1, 0])
        let before = reads.count
        for _ in 0..<20 { daemon.run() }
        expect(reads.count == before + 1)
    }

    @Test("Several messages may come in one read, in fragments, with pings between them")
    func fragments() throws {
        let client = try Self.welcomed(EmbeddedDaemon())
        try client.sayFrames(
            WebClient.frame(#"{"op":"ping","id":1}"#),
            WebClient.frame(#"{"op":"pi"#, first: 0x01),
            WebClient.frame("beat", first: 0x89),
            WebClient.frame(#"ng","id":2}"#, first: 0x80)
        )
        let heard = try client.heardMessages()
        #expect(heard.contains("10 \(Array("beat".utf8))"))
        expect(heard.filter { $0.hasPrefix("{") } == [#"{"op":"reply","id":1}"#, #"{"op":"reply","id":2}"#])
    }

    @Test("A breach of the framing is reported, with its close code, behind the answers that are due")
    func breach() throws {
        let client = try Self.welcomed(EmbeddedDaemon())
        try client.sayFrames(WebClient.frame(#"{"op":"ping","id":1}"#), WebClient.frame("x", first: 0x82))
        let heard = try client.heardMessages()
        try #require(heard.count == 3)
        expect(heard[0] == #"{"op":"reply","id":1}"#)
        #expect(heard[1].contains(#""code":"bad-frame""#))
        expect(heard[2] == WebClient.close(1003, "bad-frame"))
    }

    @Test("A message beyond the limit ends the WebSocket with 1009, before the welcome at 64 KiB")
    func tooLarge() throws {
        let client = try WebClient.webSocket(EmbeddedDaemon())
        try client.sayFrames(WebClient.frame(String(repeating: " ", count: 70_000)))
        let heard = try client.heardMessages()
        expect(heard.first?.contains("too-large") == true)
        expect(heard.last == WebClient.close(1009, "too-large"))
    }

    @Test("A client that ends the WebSocket gets its answers, and then the same code")
    func close() throws {
        let client = try Self.welcomed(EmbeddedDaemon())
        try client.sayFrames(WebClient.frame(#"{"op":"ping","id":1}"#), WebClient.frame(bytes: [3, 233], first: 0x88))
        expect(try client.heardMessages() == [#"{"op":"reply","id":1}"#, WebClient.close(1001)])
    }

    @Test("A silent client is pinged and ended, and one without a hello gets the reason")
    func silence() throws {
        let daemon = EmbeddedDaemon {
            $0.heartbeat = 1_000
            $0.helloTimeout = 2_000
        }
        let mute = try WebClient.webSocket(daemon)
        let client = try Self.welcomed(daemon)
        daemon.pass(milliseconds: 6_000)
        let heard = try mute.heardMessages()
        expect(heard.first?.contains("hello-first") == true)
        expect(try client.heardMessages().first == #"{"op":"ping"}"#)
        #expect(!client.client.isConnected)
    }

    @Test("A daemon that ends says so, and goes away")
    func shutdown() throws {
        let daemon = EmbeddedDaemon()
        let client = try Self.welcomed(daemon)
        daemon.stopListening()
        _ = daemon.sayGoodbye()
        let heard = try client.heardMessages()
        expect(heard.first?.contains("shutting-down") == true)
        expect(heard.last == WebClient.close(1001, "shutting-down"))
    }

    @Test("A client that is refused, or loses its session, gets the code of the error in the close frame")
    func endedByError() throws {
        let closed = try AccessPolicy(roles: [], principals: [])
        let daemon = EmbeddedDaemon { $0.access = closed }
        let stranger = try WebClient.webSocket(daemon)
        expect(try stranger.ask(message: #"{"op":"hello","version":1,"token":"wrong"}"#) == [])
        daemon.pass(milliseconds: 1_100)
        expect(try stranger.heardMessages().last == WebClient.close(1008, "unauthenticated"))
        let open = EmbeddedDaemon()
        let hello = #"{"op":"hello","version":1,"session":"s"}"#
        let first = try WebClient.webSocket(open)
        expect(try first.ask(message: hello).count == 1)
        _ = try WebClient.webSocket(open).ask(message: hello)
        expect(try first.heardMessages().last == WebClient.close(1008, "already-bound"))
    }

    @Test("Frames that come with the request belong to the WebSocket alone, however many", .timeLimit(.minutes(5)))
    func framesBehindRequest() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try daemon.client()
            // A long body lets the daemon read much at once.
            let body = JSONText.filler(bytes: 500_000)
            try await client.sayBytes(ByteBuffer(string: WebClient.request("PUT /v1/channels/a", body: body)))
            expect(try await client.hearBytes().map { String(buffer: $0).hasPrefix("HTTP/1.1 200") } == true)
            var bytes = ByteBuffer(string: WebClient.request("GET /rac", WebClient.upgrade))
            bytes.writeImmutableBuffer(WebClient.frame(Self.hello))
            for id in 1...1_000 { bytes.writeImmutableBuffer(WebClient.frame(#"{"op":"ping","id":\#(id)}"#)) }
            bytes.writeImmutableBuffer(WebClient.frame(bytes: [3, 233], first: 0x88))
            try await client.sayBytes(bytes)
            var heard = ByteBuffer()
            while let more = try await client.hearBytes() { heard.writeImmutableBuffer(more) }
            let text = String(decoding: heard.readableBytesView, as: UTF8.self)
            expect(text.ranges(of: "HTTP/1.1 ").count == 1)
            expect(text.ranges(of: #"{"op":"reply""#).count == 1_000)
        }
    }
}

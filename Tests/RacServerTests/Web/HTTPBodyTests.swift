import Dispatch
import Expectations
import Foundation
import NIOCore
import NIOPosix
import RacProtocol
import RacWeb
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
        expect(try web.say(Self.head + chunks + end).status == 200)
        expect(try web.ask("GET /v1/channels/a").body == body)
    }

    @Test("A body in the shortest chunks is parsed in several turns")
    func shortestChunks() throws {
        let web = try WebClient(EmbeddedDaemon())
        let chunks = "1\r\n\"\r\n" + String(repeating: "1\r\nx\r\n", count: 10_000) + "1\r\n\"\r\n0\r\n\r\n"
        try web.client.sayInOnePiece(ByteBuffer(string: Self.head + chunks))
        #expect(web.client.handler.keptBytes > 40_000)
        expect(try web.say("").status == 200)
    }

    @Test("A body whose chunks have long extensions, or whose trailers are long, is refused")
    func longFraming() throws {
        let long = String(repeating: "x", count: 70_000)
        let value = "10000\r\n\"\(String(repeating: "x", count: 65_534))\"\r\n"
        let extensions = String(repeating: "1;\(String(repeating: "x", count: 100))\r\n1\r\n", count: 1_000)
        for body in ["1;\(long)\r\n1\r\n0\r\n\r\n", extensions, "\(value)0\r\nTrailer: \(long)\r\n\r\n"] {
            expect(try WebClient(EmbeddedDaemon()).say(Self.head + body).status == 400)
        }
    }

    // MARK: Long bodies

    /// A value whose body is read apart from the loop.
    private static let long = JSONText.filler(bytes: LongFrame.plainBytes + 1)

    private static func put(_ body: String = Self.long) -> ByteBuffer {
        ByteBuffer(string: WebClient.request("PUT /v1/channels/a", body: body))
    }

    @Test("While a long body waits to be read, the requests of others are answered", .timeLimit(.minutes(5)))
    func longBody() async throws {
        let readers = NIOThreadPool(numberOfThreads: 1)
        readers.start()
        let gate = DispatchSemaphore(value: 0)
        readers.submit { _ in gate.wait() }
        defer { gate.signal() }
        try await RunningLoops.serving(readers: readers) { address, loops in
            let (slow, fast) = (try SocketClient(address), try SocketClient(address))
            try await slow.sayBytes(Self.put())
            while try await Self.reading(loops) == 0 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await fast.ask(Wire.hello).isWelcome)
            expect(try await fast.ask(#"{"op":"get","id":1,"channel":"a"}"#).code == "no-such-channel")
            gate.signal()
            expect(try await slow.hearBytes().map { String(buffer: $0).hasPrefix("HTTP/1.1 200 ") } == true)
            #expect(try await fast.ask(#"{"op":"get","id":2,"channel":"a"}"#).text.contains(Self.long))
        }
        try await readers.shutdownGracefully()
    }

    /// The number of connections whose long bodies have yet to be read.
    private static func reading(_ loops: Loops) async throws -> Int {
        var count = 0
        for link in loops.connections {
            count += try await link.ask { loop in
                loop.handlers.all.count { handler in
                    guard let web = handler.conversation as? HTTPConversation, case .reading = web.exchange.work else {
                        return false
                    }
                    return true
                }
            }
        }
        return count
    }

    @Test("Requests behind a long body are answered behind it, and a half-closed client gets its answers")
    func order() throws {
        let web = try WebClient(EmbeddedDaemon())
        let get = WebClient.request("GET /v1/channels/a")
        for value in [Self.long, "\"2\(Self.long.dropFirst())"] {
            var bytes = Self.put(value)
            bytes.writeString(get)
            try web.client.sayBytes(bytes)
            let text = try web.heard()
            #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 2 && text.hasSuffix(value))
        }
        try web.client.sayInOnePiece(Self.put())
        try web.client.sayInOnePiece(ByteBuffer(string: get))
        web.client.endInput()
        let text = try web.heard()
        #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 2 && text.hasSuffix(Self.long))
        #expect(web.client.handler.closing.isEnded && web.client.handler.keptBytes == 0)
    }

    @Test("A long body that is no JSON is refused, and the connection goes on")
    func noJSON() throws {
        let web = try WebClient(EmbeddedDaemon())
        try web.client.sayBytes(Self.put("x" + Self.long))
        expect(try WebClient.Answer(text: web.heard()).status == 400)
        expect(try web.ask("PUT /v1/channels/a", body: "1").status == 200)
    }

    @Test("A client whose long body is being read is not taken for silent, though its next request has begun to come")
    func notSilent() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let chunk = "\(String(Self.long.utf8.count, radix: 16))\r\n\(Self.long)\r\n"
        let beginning = "PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"
        try web.client.sayBytes(ByteBuffer(string: Self.head + chunk))
        try web.client.sayInOnePiece(ByteBuffer(string: "0\r\n\r\n" + beginning))
        let handler = web.client.handler
        for minute in 1...10 { handler.ticked(at: handler.loop.now + UInt64(minute) * 60_000) }
        daemon.run()
        expect(try WebClient.Answer(text: web.heard()).status == 200)
        expect(try web.say("1").status == 200)
    }

    @Test("A client that has gone keeps nobody waiting for its long body")
    func gone() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(3) { try daemon.client() }
        for client in clients { try client.sayInOnePiece(Self.put()) }
        for client in clients[..<2] { client.vanish() }
        daemon.run()
        #expect(try String(buffer: clients[2].heardBytes()).hasPrefix("HTTP/1.1 200 "))
    }

    @Test("An execution with a long input does not begin for a client that sends nothing more")
    func givenUp() throws {
        let daemon = EmbeddedDaemon()
        let host = try daemon.welcomed()
        _ = try host.ask(#"{"op":"host","id":1,"command":"c"}"#)
        let web = try WebClient(daemon)
        try web.client.sayInOnePiece(ByteBuffer(string: WebClient.request("POST /v1/commands/c", body: Self.long)))
        web.client.endInput()
        #expect(try host.heard().isEmpty && web.heard() == "")
        #expect(web.client.handler.closing.isEnded)
    }

    @Test("A daemon that ends reads no more long bodies, and says why")
    func stops() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        // The last bytes of the body come in the tick in which the daemon begins to end.
        var bytes = Self.put()
        let beginning = bytes.readSlice(length: bytes.readableBytes - 1)
        try web.client.sayBytes(try #require(beginning))
        try web.client.sayInOnePiece(bytes)
        daemon.stopListening()
        _ = daemon.sayGoodbye()
        let text = try web.heard()
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1 && text.contains("shutting-down"))
    }

    @Test("A client is read on behind an answer that was read from a file", .timeLimit(.minutes(5)))
    func behindFile() async throws {
        let folder = try TestFolder()
        try Data("file".utf8).write(to: URL(filePath: "\(folder.path)/a.txt"))
        try await RunningDaemon.serving({ $0.web = WebSettings(folder: folder.path) }) { daemon in
            let client = try daemon.client()
            let request = WebClient.request("GET /a.txt")
            for _ in 1...3 {
                try await client.sayBytes(ByteBuffer(string: request + request))
                var text = ""
                while text.ranges(of: "\r\n\r\nfile").count < 2 {
                    text += String(buffer: try #require(try await client.hearBytes()))
                }
            }
        }
    }
}

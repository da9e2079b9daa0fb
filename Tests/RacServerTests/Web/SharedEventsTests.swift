import Expectations
import NIOCore
import NIOEmbedded
import RacProtocol
import Testing

@testable import RacServer

/// One value goes to many streams of events.
@Suite(.oneThreadAndThree) struct SharedEventsTests {
    @Test("The streams of a channel share the bytes of a long value", arguments: [true, false])
    func longValue(isStream: Bool) throws {
        let daemon = EmbeddedDaemon()
        let writer = try daemon.welcomed()
        let streams = try daemon.onOneLoop(3) { try daemon.client() }.map { WebClient(client: $0) }
        var sockets: [FullSocket] = []
        for stream in streams {
            if isStream {
                _ = try stream.ask("GET /v1/channels/a", ["Accept: text/event-stream"])
            } else {
                _ = try stream.ask("GET /rac", WebClient.upgrade)
                _ = try stream.ask(message: Wire.hello)
                _ = try stream.ask(message: #"{"op":"bind","id":1,"channel":"a"}"#)
            }
            let socket = FullSocket()
            try stream.client.channel.pipeline.syncOperations.addHandler(socket, position: .first)
            sockets.append(socket)
        }
        let value = JSONText.filler(bytes: 1 << 20)
        _ = try writer.ask(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        let backlogs = streams.map { $0.client.handler.outlet?.backlog.last?.address }
        #expect(backlogs[0] != nil && Set(backlogs).count == 1)
        for socket in sockets { socket.empty() }
        daemon.run()
        for stream in streams { #expect(try stream.heard().contains(value)) }
    }

    @Test("Messages are made a chunk of events once, and those that are more to a stream never")
    func chunks() {
        let valuation = Valuation(value: 1, revision: Revision(2), cause: nil)
        let messages: [ServerMessage] = [.next(TerminalID(1), valuation), .synced(WatchID(3))]
        var shared = SharedEvents()
        let chunk = shared.chunk(of: messages)
        #expect(chunk?.address != nil)
        expect(shared.chunk(of: messages)?.address == chunk?.address)
        let more = shared.chunk(of: messages + [.deleted(TerminalID(1), Revision(3))])
        expect(more == nil)
        #expect(shared.knows(messages))
        shared.endTick()
        #expect(!shared.knows(messages))
    }

    @Test(
        "The long answers of one tick are made in turns, and each is whole",
        arguments: ["Accept: text/event-stream", "X: y"]
    )
    func turns(header: String) throws {
        let daemon = EmbeddedDaemon()
        let writer = try daemon.welcomed()
        let value = JSONText.filler(bytes: 300_000)
        _ = try writer.ask(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        let clients = try daemon.onOneLoop(8) { try daemon.client() }.map { WebClient(client: $0) }
        let request = ByteBuffer(string: WebClient.request("GET /v1/channels/a", [header]))
        for client in clients { try client.client.sayInOnePiece(request) }
        daemon.runNow()
        let first = try clients.map { try $0.heard() }
        #expect(first.count { !$0.isEmpty } < clients.count)
        daemon.run()
        for (client, first) in zip(clients, first) {
            let text = first + (try client.heard())
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains(value))
            #expect(text.utf8.count < value.utf8.count + 1_000)
        }
    }

    @Test("A long value with ends of lines is an event with a field for each line")
    func lines() throws {
        let daemon = EmbeddedDaemon()
        let writer = try daemon.welcomed()
        let web = WebClient(client: try daemon.client())
        _ = try web.ask("GET /v1/channels/a", ["Accept: text/event-stream"])
        let number = String(repeating: "1", count: 100)
        let ends = String(repeating: ",\n\n1,\r1", count: 10)
        let value = "[\(number)\(String(repeating: ",\r\n\(number)", count: 1_000))\(ends)]"
        _ = try writer.ask(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        let data = value.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: "\ndata: ")
        #expect(try web.heard().contains("data: \(data)\n\n"))
    }

    @Test("A refusal has the long value of its channel")
    func refusal() throws {
        let daemon = EmbeddedDaemon()
        let web = WebClient(client: try daemon.client())
        let value = JSONText.filler(bytes: 1 << 20)
        expect(try web.ask("PUT /v1/channels/a", body: value).status == 200)
        let answer = try web.ask("PUT /v1/channels/a", ["If-Match: \"7\""], body: "1")
        #expect(answer.status == 412 && answer.body.hasSuffix(#","value":\#(value)}"# + "\n"))
        expect(answer.header("Content-Length") == "\(answer.body.utf8.count)")
    }

    @Test("Streams with and without chunks, of one channel and of others, each get their events in order")
    func streams() throws {
        let daemon = EmbeddedDaemon()
        let writer = try daemon.welcomed()
        let channels = ["a", "a", "b", "a", "b"]
        let streams = try daemon.onOneLoop(channels.count) { try daemon.client() }.map { WebClient(client: $0) }
        for (number, (stream, channel)) in zip(streams, channels).enumerated() {
            let request = WebClient.request("GET /v1/channels/\(channel)", ["Accept: text/event-stream"])
            // A client of HTTP/1.0 knows no chunks.
            _ = try stream.say(number == 1 ? request.replacing("HTTP/1.1", with: "HTTP/1.0") : request)
        }
        let sets = [("a", "1"), ("b", "2"), ("a", "3"), ("b", "4")]
        try writer.say(
            #"{"op":"put","id":1,"set":[{"channel":"a","value":1},{"channel":"b","value":2}]}"#,
            #"{"op":"ping","id":2}"#
        )
        for (channel, value) in sets[2...] {
            try writer.say(#"{"op":"set","id":3,"channel":"\#(channel)","value":\#(value)}"#)
        }
        try writer.say(#"{"op":"finish","id":4,"channel":"a"}"#)
        for (number, (stream, channel)) in zip(streams, channels).enumerated() {
            let text = try stream.heard()
            let values = text.matches(of: /data: (\d)\n/).map { String($0.output.1) }
            expect(values == sets.filter { $0.0 == channel }.map(\.1))
            expect(text.contains("event: completed") == (channel == "a"))
            expect(text.hasSuffix("0\r\n\r\n") == (channel == "a" && number != 1))
        }
    }
}

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
            #expect(values == sets.filter { $0.0 == channel }.map(\.1))
            #expect(text.contains("event: completed") == (channel == "a"))
            #expect(text.hasSuffix("0\r\n\r\n") == (channel == "a" && number != 1))
        }
    }
}

import Expectations
import NIOCore
import RacHost
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct SilenceTests {
    @Test("A silent client is pinged after a heartbeat and gone after two and a half")
    func silent() throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 20_000 }
        let client = try daemon.welcomed()
        daemon.pass(milliseconds: 19_000)
        expect(try client.heard() == [])
        daemon.pass(milliseconds: 2_000)
        expect(try client.heard().map(\.text) == [#"{"op":"ping"}"#])
        #expect(client.isConnected)
        daemon.pass(milliseconds: 31_000)
        #expect(!client.isConnected)
    }

    @Test(
        "A client that answers each ping stays, and so does one that says anything else",
        arguments: ["pong", "ping"]
    )
    func answers(_ word: String) throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 1_000 }
        let client = try daemon.welcomed()
        for _ in 0..<20 {
            daemon.pass(milliseconds: 1_400)
            #expect(try client.heard().map(\.text).contains(#"{"op":"ping"}"#))
            try client.say(#"{"op":"\#(word)"}"#)
        }
        #expect(client.isConnected)
    }

    @Test("A look for silent clients before the loops are connected does not stop their ticks for ever")
    func connectedLate() throws {
        let daemon = EmbeddedDaemon(connectedAfter: 5_000) {
            $0.helloTimeout = 1_000
            $0.web = nil
        }
        let client = try daemon.client()
        daemon.pass(milliseconds: 3_000)
        expect(try client.heard().map(\.code) == ["hello-first"])
        expect(try daemon.welcomed().ask(#"{"op":"ping","id":7}"#).text == #"{"op":"reply","id":7}"#)
    }

    @Test(
        "A client without a hello in time is refused and ended, even if it sends a byte now and then",
        arguments: [false, true]
    )
    func noHello(dribbles: Bool) throws {
        let daemon = EmbeddedDaemon {
            $0.helloTimeout = 10_000
            $0.web = dribbles ? $0.web : nil
        }
        let client = try daemon.client()
        var bytes = Wire.frame(Wire.hello)
        for _ in 0..<9 {
            daemon.pass(milliseconds: 1_000)
            if dribbles, let byte = bytes.readSlice(length: 1) { try client.sayBytes(byte) }
        }
        #expect(client.isConnected)
        daemon.pass(milliseconds: 3_000)
        expect(try client.heard().map(\.code) == ["hello-first"])
        #expect(!client.isConnected)
    }

    @Test("A client of HTTP that has sent no byte, as a browser's, is ended without one")
    func noByte() throws {
        let daemon = EmbeddedDaemon { $0.helloTimeout = 1_000 }
        let client = try daemon.client()
        daemon.pass(milliseconds: 3_000)
        expect(try client.heardBytes().readableBytes == 0)
        #expect(!client.isConnected)
        let late = try daemon.client()
        daemon.stopListening()
        _ = daemon.sayGoodbye()
        expect(try late.heardBytes().readableBytes == 0)
        daemon.pass(milliseconds: 2_000)
        #expect(!late.isConnected)
    }

    @Test("A will is applied when silence has ended its connection")
    func will() throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 1_000 }
        let watcher = try daemon.welcomed()
        _ = try watcher.bind("status")
        let device = try daemon.welcomed()
        _ = try device.bind("status", #","will":{"value":"lost"}"#)
        for _ in 0..<10 {
            daemon.pass(milliseconds: 500)
            try watcher.say(#"{"op":"pong"}"#)
        }
        #expect(!device.isConnected)
        expect(try watcher.heard().compactMap(\.value) == [#""lost""#])
    }

    @Test("A client whose messages wait for their turns is not taken for silent")
    func waitsForTurns() throws {
        let daemon = EmbeddedDaemon {
            $0.heartbeat = 20
            $0.limits.unitsPerTurn = 10
            $0.limits.unitsPerConnection = 5
        }
        let client = try daemon.welcomed()
        try client.sayInOnePiece(Wire.frames((1...6_000).map { #"{"op":"ping","id":\#($0)}"# }))
        daemon.pass(milliseconds: 200)
        #expect(client.isHeld)
        #expect(client.isConnected)
    }

    @Test("A stranger whose bytes wait for their turn does not put off the end of its time", arguments: [false, true])
    func flooding(isWelcomed: Bool) throws {
        let daemon = EmbeddedDaemon()
        let client = try WebClient.webSocket(daemon)
        if isWelcomed { _ = try client.ask(message: Wire.hello) }
        let handler = client.client.handler
        handler.loop.enterTick()
        handler.loop.spent(ReadTurns.units, by: handler)
        try client.client.sayInOnePiece(WebClient.frame("", first: 0x89))
        expect(handler.frames.input.reading == .queued)
        handler.ticked(at: handler.loop.now + 60_000)
        expect(handler.closing.isOpen == isWelcomed)
    }
}

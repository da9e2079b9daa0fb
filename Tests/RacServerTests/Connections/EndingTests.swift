import Expectations
import NIOCore
import NIOEmbedded
import RacTesting
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct EndingTests {
    @Test("A closed connection leaves nothing behind")
    func isFreed() throws {
        let daemon = EmbeddedDaemon()
        weak var handler: ConnectionHandler?
        weak var hosted: AnyObject?
        do {
            let client = try daemon.welcomed()
            _ = try client.bind("a", #","will":{"value":1}"#)
            try client.say(#"{"op":"watch","id":2,"pattern":"**"}"#)
            handler = client.handler
            hosted = client.hosted
            #expect(handler != nil && hosted != nil)
            client.vanish()
        }
        daemon.run()
        #expect(handler == nil)
        #expect(hosted == nil)
    }

    @Test("A daemon that has ended leaves nothing behind")
    func daemonIsFreed() throws {
        weak var shell: HostShell?
        do {
            let daemon = EmbeddedDaemon()
            let client = try daemon.welcomed()
            _ = try client.bind("a")
            client.vanish()
            daemon.stopListening()
            #expect(daemon.sayGoodbye()())
            daemon.shell.stop()
            shell = daemon.shell
        }
        #expect(shell == nil)
    }

    @Test(
        "A connection that ends without bye is lost, and its will applied; one that says bye, or unbinds, is not",
        arguments: [("fin", 1), ("reset", 1), ("bye", 0), ("unbind", 0)]
    )
    func wills(how: String, wills: Int) throws {
        let daemon = EmbeddedDaemon()
        let watcher = try daemon.welcomed()
        _ = try watcher.bind("status")
        let device = try daemon.welcomed()
        let terminal = try device.bind("status", #","will":{"value":"lost"}"#)
        switch how {
        case "fin": device.endInput()
        case "bye": try device.say(#"{"op":"bye"}"#)
        case "unbind":
            try device.say(#"{"op":"unbind","id":2,"t":\#(terminal)}"#)
            device.vanish()
        default: device.vanish()
        }
        #expect(!device.isConnected)
        expect(try watcher.heard().compactMap(\.value).count == wills)
        let line = "info: wills were applied name=- principal=- wills=1"
        expect(daemon.log.entries == (wills == 0 ? [] : [line]))
    }

    @Test("Of many clients whose wills were applied the log shows the first, with the number of changes")
    func loggedWills() throws {
        let daemon = EmbeddedDaemon()
        let devices = try daemon.onOneLoop(2) { try daemon.client() }
        for device in devices { #expect(try device.ask(#"{"op":"hello","version":1,"name":"kiosk"}"#).isWelcome) }
        for channel in ["a", "b", "c"] { _ = try devices[0].bind(channel, #","will":{"value":"lost"}"#) }
        _ = try devices[1].bind("d", #","will":{"value":"lost"}"#)
        let terminal = try devices[1].bind("c")
        try devices[1].say(#"{"op":"completed","t":\#(terminal),"n":1}"#)
        for device in devices { device.vanish() }
        expect(daemon.log.entries == ["info: wills were applied name=kiosk principal=- wills=2"])
    }

    @Test("Requests that a client sent before it closed its side are answered")
    func answersBehindFin() throws {
        let client = try EmbeddedDaemon().welcomed()
        let terminal = try client.bind("a")
        let requests = Wire.frames([
            #"{"op":"next","t":\#(terminal),"n":1,"value":1}"#, #"{"op":"get","id":2,"channel":"a"}"#,
        ])
        try client.channel.writeInbound(requests)
        client.endInput()
        let heard = try client.heard().map(\.text)
        expect(heard.count == 2)
        #expect(heard.contains { $0.contains(#""op":"ack""#) } && heard.contains { $0.contains(#""op":"reply""#) })
        #expect(!client.isConnected)
    }

    @Test("The last answer of a connection waits for its client", arguments: ["bye", "fin"], [true, false])
    func lastAnswer(how: String, isRead: Bool) throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 2_000 }
        let client = try daemon.welcomed()
        try client.say(#"{"op":"set","id":1,"channel":"a","value":"\#(String(repeating: "x", count: 1 << 20))"}"#)
        _ = try client.heard()
        let socket = FullSocket()
        try client.channel.pipeline.syncOperations.addHandler(socket, position: .first)
        try client.say(#"{"op":"get","id":2,"channel":"a"}"#)
        if how == "fin" { client.endInput() } else { try client.say(#"{"op":"bye"}"#) }
        #expect(socket.hasWaiting)
        daemon.pass(milliseconds: 3_500)
        #expect(client.isConnected)
        guard isRead else {
            daemon.pass(milliseconds: 3_500)
            return #expect(!client.isConnected)
        }
        socket.empty()
        daemon.run()
        #expect(try client.heard().map(\.text.utf8.count).contains { $0 > 1 << 20 })
        daemon.pass(milliseconds: 2_500)
        #expect(!client.isConnected)
    }

    @Test("An acknowledgement that waits for more sends comes before the end")
    func waitingAcknowledgement() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(8) { try daemon.welcomed() }
        let terminals = try clients.enumerated().map { try $1.bind("a/\($0)") }
        for (client, terminal) in zip(clients, terminals) {
            try client.sayInOnePiece(
                Wire.frames((1...2).map { #"{"op":"next","t":\#(terminal),"n":\#($0),"value":1}"# })
            )
        }
        clients[0].endInput()
        expect(try clients[0].heard().map(\.text).last?.contains(#""op":"ack","t":\#(terminals[0]),"n":2"#) == true)
        #expect(!clients[0].isConnected)
    }

    @Test("A client that takes over a session is welcomed, and the older connection is notified and ended")
    func takeOver() throws {
        let daemon = EmbeddedDaemon()
        let hello = #"{"op":"hello","version":1,"session":"s"}"#
        let older = try daemon.client()
        _ = try older.ask(hello)
        let newer = try daemon.client()
        _ = try newer.ask(hello)
        expect(try older.heard().map(\.code) == ["already-bound"])
        #expect(!older.isConnected)
        #expect(newer.isConnected)
    }

    @Test("When the daemon ends, clients hear it behind their last answers, and no will is applied")
    func goodbye() throws {
        let daemon = EmbeddedDaemon()
        let watcher = try daemon.welcomed()
        _ = try watcher.bind("status")
        let device = try daemon.welcomed()
        _ = try device.bind("status", #","will":{"value":"lost"}"#)
        try device.channel.writeInbound(Wire.frame(#"{"op":"ping","id":2}"#))
        daemon.stopListening()
        try device.channel.writeInbound(Wire.frame(#"{"op":"ping","id":3}"#))
        let isOver = daemon.sayGoodbye()
        expect(try device.heard().map { $0.code ?? $0.text } == [#"{"op":"reply","id":2}"#, "shutting-down"])
        expect(try watcher.heard().map(\.code) == ["shutting-down"])
        #expect(isOver())
    }

    @Test("A client that does not read holds up the end of the daemon for no more than a second")
    func stubbornClient() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed()
        client.setReading(false)
        try client.say(#"{"op":"ping","id":2}"#)
        daemon.stopListening()
        let isOver = daemon.sayGoodbye()
        daemon.pass(milliseconds: 900)
        #expect(!isOver())
        daemon.pass(milliseconds: 200)
        #expect(isOver())
        #expect(!client.isConnected)
    }

    @Test(
        "A proxy that announces its client by the PROXY protocol is refused by name",
        arguments: [
            Array("PROXY TCP4 192.0.2.1 192.0.2.2 1234 7220\r\n".utf8),
            [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10, 0x20, 0, 0, 0],
        ],
        [false, true]
    )
    func proxyProtocol(bytes: [UInt8], isTLS: Bool) throws {
        let daemon = EmbeddedDaemon()
        let noTLS = { () throws -> TLSEntrance.Layer in throw Surprise(what: "plain bytes begin no TLS") }
        let client = try daemon.client(behind: isTLS ? [TLSEntrance(allowsPlain: false, noTLS)] : [])
        try client.sayBytes(ByteBuffer(bytes: bytes))
        if !isTLS { expect(try client.heard().map(\.code) == ["bad-frame"]) }
        let end = isTLS ? "a TLS handshake failed code=no-tls" : "a connection was ended code=bad-frame"
        let reason = "the client began the PROXY protocol, which racd does not speak: turn it off in the proxy"
        expect(daemon.log.entries == ["warning: \(end) reason=\(reason)"])
    }

    @Test("One connection too many gets limit; a place that becomes free is given again, however many were refused")
    func limit() throws {
        let daemon = EmbeddedDaemon { $0.maximumConnections = 2 }
        let first = try daemon.welcomed()
        let second = try daemon.welcomed()
        for _ in 0..<3 { expect(try daemon.client().heard().map(\.code) == ["limit"]) }
        first.vanish()
        let third = try daemon.welcomed()
        expect(try daemon.client().heard().map(\.code) == ["limit"])
        #expect(second.isConnected && third.isConnected)
    }
}

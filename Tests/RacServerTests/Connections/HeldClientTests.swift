import Expectations
import NIOCore
import NIOEmbedded
import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct HeldClientTests {
    private static let count = 100
    private static let valueBytes = 100_000

    /// A client whose socket is full, and which has asked for more than may wait.
    private func held(behind last: String...) throws -> (EmbeddedDaemon, EmbeddedClient) {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed()
        let value = JSONText.filler(bytes: Self.valueBytes)
        _ = try client.ask(#"{"op":"set","id":0,"channel":"a","value":\#(value)}"#)
        client.setReading(false)
        try client.sayBytes(Wire.frames((1...Self.count).map { #"{"op":"get","id":\#($0),"channel":"a"}"# } + last))
        return (daemon, client)
    }

    @Test("Requests of a client that does not read wait, not their answers")
    func waits() throws {
        let (_, client) = try self.held()
        expect(try client.heard() == [])
        #expect(client.isHeld)
        let waiting = try #require(client.hosted?.outgoingBytes)
        #expect(waiting > Peer.pauseBytes)
        #expect(waiting < Peer.pauseBytes + 2 * Self.valueBytes)
    }

    @Test("Requests of a held client beyond the window stay in its stream, and are answered in their turn")
    func waitsInStream() throws {
        let (_, client) = try self.held()
        #expect(!client.handler.frames.input.isHeld)
        let pings = (1...10_000).map { #"{"op":"ping","id":\#($0)}"# }
        try client.sayBytes(Wire.frames(pings))
        #expect(client.handler.frames.input.isHeld)
        let unread = client.handler.frames.input.unread.readableBytes
        #expect(unread > Wire.frames(pings).readableBytes - 2 * FlowWindow.aheadBytes)
        client.setReading(true)
        let heard = try client.heard()
        expect(heard.count == Self.count + pings.count)
        expect(heard.last?.text == #"{"op":"reply","id":10000}"#)
        #expect(!client.handler.frames.input.isHeld)
        expect(client.handler.frames.input.unread.readableBytes == 0)
    }

    @Test("A held client that closes its side behind more than may wait gets every answer before the end")
    func endsInputBehindMuch() throws {
        let (_, client) = try self.held()
        try client.sayBytes(Wire.frames((1...10_000).map { #"{"op":"ping","id":\#($0)}"# }))
        client.endInput()
        #expect(client.isConnected)
        client.setReading(true)
        expect(try client.heard().count == Self.count + 10_000)
        #expect(!client.isConnected)
    }

    @Test("More messages that come while a held client waits change nothing")
    func moreComes() throws {
        let (_, client) = try self.held()
        let before = client.hosted?.outgoingBytes
        try client.say(#"{"op":"get","id":101,"channel":"a"}"#)
        expect(client.hosted?.outgoingBytes == before)
        client.setReading(true)
        expect(try client.heard().count == Self.count + 1)
    }

    @Test("A held client that reads again gets every answer, in order, and is read again")
    func resumes() throws {
        let (_, client) = try self.held()
        client.setReading(true)
        let heard = try client.heard()
        expect(heard.count == Self.count)
        for (index, answer) in heard.enumerated() { #expect(answer.text.contains(#""id":\#(index + 1),"#)) }
        #expect(!client.isHeld)
        expect(try client.ask(#"{"op":"ping","id":7}"#).text == #"{"op":"reply","id":7}"#)
    }

    @Test("A held client whose socket is full again and again gets every answer")
    func stops() throws {
        let (_, client) = try self.held()
        var heard: [Heard] = []
        for _ in 0..<Self.count where client.isHeld {
            client.channel.isWritable = true
            client.channel.pipeline.fireChannelWritabilityChanged()
            client.setReading(false)
            heard += try client.heard()
        }
        client.setReading(true)
        heard += try client.heard()
        expect(heard.count == Self.count)
    }

    @Test("A held client that closes its side gets every answer before the end")
    func endsInput() throws {
        let (_, client) = try self.held()
        client.endInput()
        #expect(client.isConnected)
        client.setReading(true)
        expect(try client.heard().count == Self.count)
        #expect(!client.isConnected)
    }

    @Test("A bye behind the requests ends the connection behind their answers, and no will is applied")
    func bye() throws {
        let (_, client) = try self.held(behind: #"{"op":"bye"}"#)
        client.setReading(true)
        expect(try client.heard().count == Self.count)
        #expect(!client.isConnected)
    }

    @Test("A bad frame behind the requests is reported behind their answers")
    func badFrame() throws {
        let (_, client) = try self.held()
        try client.sayBytes(ByteBuffer(integer: UInt32(1 << 30)))
        client.setReading(true)
        let heard = try client.heard()
        expect(heard.count == Self.count + 1)
        expect(heard.last?.code == "too-large")
        #expect(!client.isConnected)
    }

    @Test("Sends of a held client that closed its side are acknowledged before the end")
    func sendsBeforeTheEnd() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed()
        let terminal = try client.bind("b")
        let value = JSONText.filler(bytes: Peer.pauseBytes)
        _ = try client.ask(#"{"op":"set","id":0,"channel":"a","value":\#(value)}"#)
        client.setReading(false)
        try client.say(
            #"{"op":"get","id":1,"channel":"a"}"#,
            #"{"op":"next","t":\#(terminal),"n":1,"value":1}"#
        )
        #expect(client.isHeld)
        client.endInput()
        client.setReading(true)
        let heard = try client.heard()
        expect(heard.count == 2)
        expect(heard.last?.text.hasPrefix(#"{"op":"ack","t":\#(terminal),"n":1"#) == true)
        #expect(!client.isConnected)
    }

    @Test("The refusals of one read stop where the client has much to read, however long the values in them are")
    func longRefusals() throws {
        let daemon = EmbeddedDaemon()
        let (client, other) = (try daemon.welcomed(), try daemon.welcomed())
        let terminal = try client.bind("a")
        _ = try other.ask(#"{"op":"set","id":1,"channel":"a","value":\#(JSONText.filler(bytes: 1 << 20))}"#)
        _ = try other.ask(#"{"op":"finish","id":2,"channel":"a"}"#)
        _ = try client.heard()
        client.setReading(false)
        let sends = (1...12).map { #"{"op":"next","t":\#(terminal),"n":\#($0),"value":1}"# }
        try client.sayBytes(Wire.frames(sends))
        #expect(try #require(client.hosted).outgoingBytes < 4 << 20)
        client.setReading(true)
        expect(try client.heard().count == sends.count)
    }

    @Test("A held client that reads nothing is taken for lost in the end")
    func lost() throws {
        let (daemon, client) = try self.held()
        client.endInput()
        daemon.pass(milliseconds: 60_000)
        #expect(!client.isConnected)
    }

    @Test("When all hold too much, the client with the oldest unfinished frame is ended, and others go on")
    func unfinishedFrames() throws {
        let daemon = EmbeddedDaemon {
            $0.maximumFrameBytes = 500_000
            $0.maximumHeldBytes = 1
        }
        let value = JSONText.filler(bytes: 400_000)
        var whole = Wire.frame(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        let beginning = whole.readSlice(length: 390_000)
        let half = try #require(beginning)
        let clients = try (0..<3).map { _ in try daemon.welcomed() }
        for client in clients { try client.sayBytes(half) }
        expect(try clients[0].heard().map(\.code) == ["limit"])
        for client in clients[1...] {
            try client.sayBytes(whole)
            expect(try client.heard().map(\.code) == [nil])
        }
    }

    @Test("When all hold too much, the client with the oldest unread answers is ended, and others go on")
    func unreadAnswers() throws {
        let daemon = EmbeddedDaemon {
            $0.maximumFrameBytes = 500_000
            $0.maximumHeldBytes = 1
        }
        let value = JSONText.filler(bytes: 400_000)
        let clients = try (0..<3).map { _ in try daemon.welcomed() }
        _ = try clients[0].ask(#"{"op":"set","id":0,"channel":"a","value":\#(value)}"#)
        for client in clients {
            client.setReading(false)
            try client.say(#"{"op":"get","id":1,"channel":"a"}"#)
        }
        expect(clients.map(\.isConnected) == [false, true, true])
        for client in clients[1...] {
            client.setReading(true)
            expect(try client.heard().count == 1)
        }
    }
}

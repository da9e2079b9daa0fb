import Expectations
import NIOCore
import NIOEmbedded
import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct ReadingTests {
    /// A compressed frame that is long.
    private static let bomb = Wire.frame(
        #"{"op":"set","id":1,"channel":"bomb","value":\#(JSONText.filler(bytes: 2 * LongFrame.inflatedBytes))}"#,
        compressed: true
    )

    private static func bombs(_ count: Int) -> ByteBuffer {
        (0..<count).reduce(into: ByteBuffer()) { bytes, _ in bytes.writeImmutableBuffer(Self.bomb) }
    }

    @Test("Clients whose bursts exceed a turn are read in even parts, and a ping of another one is answered each turn")
    func fairness() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(5) { try daemon.welcomed() }
        let good = clients[4]
        let burst = Wire.frames(Array(repeating: #"{"op":"ping"}"#, count: ReadTurns.units / Work.decoding))
        for client in clients[..<4] { try client.sayInOnePiece(burst) }
        expect(clients[..<4].map { $0.handler.frames.input.reading != .on } == [true, true, true, true])
        for turn in 1...4 {
            try good.sayInOnePiece(Wire.frame(#"{"op":"ping","id":\#(turn)}"#))
            daemon.runNow()
            daemon.pass(microseconds: 100)
            daemon.runNow()
            expect(try good.heard().map(\.text) == [#"{"op":"reply","id":\#(turn)}"#])
        }
        daemon.run()
        expect(clients[..<4].map { $0.handler.frames.input.unread.readableBytes } == [0, 0, 0, 0])
    }

    @Test("A client that sends more bytes than a turn may read waits for its turn, in the middle of a frame too")
    func bytes() throws {
        let client = try EmbeddedDaemon().welcomed()
        var bytes = Wire.frame(#"{"op":"ping","id":1,"x":\#(JSONText.filler(bytes: 2 << 20))}"#)
        let beginning = bytes.readSlice(length: 1 << 20)
        try client.sayInOnePiece(try #require(beginning))
        expect(client.handler.frames.input.reading == .queued)
        try client.sayBytes(bytes)
        expect(client.handler.frames.input.reading == .on)
        expect(try client.heard().map(\.text) == [#"{"op":"reply","id":1}"#])
    }

    @Test("A client that waits for its turn is read until many bytes wait")
    func readsOn() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed()
        let reads = ReadCount()
        try client.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        client.handler.loop.enterTick()
        client.handler.loop.spent(ReadTurns.units, by: client.handler)
        var counts: [Int] = []
        for bytes in [10, 2 * ReadTurns.fewBytes] {
            try client.sayInOnePiece(Wire.frame(#"{"op":"ping","id":1,"x":\#(JSONText.filler(bytes: bytes))}"#))
            expect(client.handler.frames.input.reading == .queued)
            let before = reads.count
            client.channel.read()
            counts.append(reads.count - before)
        }
        expect(counts == [1, 0])
        let before = reads.count
        daemon.run()
        expect(reads.count == before + 1)
        expect(try client.heard().count == 2)
    }

    @Test("Values that are taken where they stand come behind the messages before them")
    func behindGathered() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(2) { try daemon.welcomed() }
        _ = try clients[0].bind("a", #","conflate":false"#)
        let (client, terminal) = (clients[1], try clients[1].bind("a"))
        let long = #"{"op":"next","t":\#(terminal),"n":1,"value":\#(JSONText.filler(bytes: 8 << 10))}"#
        let words = ClientWords(ByteBuffer(string: long))
        // A message that comes while the host ends its tick.
        client.handler.loop.enterTick()
        client.handler.frames.input.passed(words.bytes)
        client.handler.loop.door.enter(.said(words), of: client.handler.id)
        try client.sayInOnePiece(Wire.frame(#"{"op":"next","t":\#(terminal),"n":2,"value":2}"#))
        daemon.run()
        expect(try clients[0].heard().map { $0.value == "2" } == [false, true])
    }

    @Test("Long frames of several clients are read in the order of their coming, one of each")
    func longFrames() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(3) { try daemon.welcomed(deflate: true) }
        for client in clients { try client.sayInOnePiece(Self.bombs(2)) }
        #expect(clients.map(\.handler.frames.input.reading).allSatisfy { $0 == .apart || $0 == .queued })
        daemon.run()
        for client in clients { expect(try client.heard().count == 2) }
    }

    @Test("Frames behind a long one wait, and nothing is lost or changes its order")
    func order() throws {
        let client = try EmbeddedDaemon().welcomed(deflate: true)
        var bytes = Self.bombs(3)
        bytes.writeImmutableBuffer(Wire.frame(#"{"op":"ping","id":2}"#))
        bytes.writeImmutableBuffer(Wire.frame(#"{"op":"ping","id":3}"#, compressed: true))
        let beginning = bytes.readSlice(length: bytes.readableBytes - 5)
        try client.sayInOnePiece(try #require(beginning))
        expect(client.handler.frames.input.reading == .apart)
        try client.sayInOnePiece(bytes)
        client.endInput()
        let heard = try client.heard().map(\.text)
        expect(heard.count == 5)
        for (id, answer) in zip([1, 1, 1, 2, 3], heard) { #expect(answer.contains(#""id":\#(id)"#)) }
        #expect(!client.isConnected)
    }

    @Test("A client whose long frame is being read is not taken for silent")
    func notSilent() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed(deflate: true)
        try client.sayInOnePiece(Self.bombs(1))
        for minute in 1...10 { client.handler.ticked(at: client.handler.loop.now + UInt64(minute) * 60_000) }
        daemon.runNow()
        #expect(client.isConnected)
    }

    @Test("A client that has gone keeps nobody waiting for its long frame")
    func gone() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(3) { try daemon.welcomed(deflate: true) }
        for client in clients { try client.sayInOnePiece(Self.bombs(1)) }
        for client in clients[..<2] { client.vanish() }
        daemon.run()
        expect(try clients[2].heard().count == 1)
    }

    @Test("A frame that inflates beyond the limit, or not at all, ends its connection only")
    func faults() throws {
        let daemon = EmbeddedDaemon { $0.maximumFrameBytes = LongFrame.inflatedBytes * 3 / 2 }
        let clients = try daemon.onOneLoop(3) { try daemon.welcomed(deflate: true) }
        try clients[0].sayInOnePiece(Self.bomb)
        try clients[1].sayInOnePiece(Wire.frame(payload: ByteBuffer(string: "no zlib"), compressed: true))
        try clients[2].sayInOnePiece(Wire.frame(#"{"op":"ping","id":1}"#, compressed: true))
        daemon.run()
        expect(try clients.map { try $0.heard().map(\.code) } == [["too-large"], ["bad-frame"], [nil]])
    }

    @Test("A daemon that stops reads no more long frames")
    func stops() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed(deflate: true)
        try client.sayInOnePiece(Self.bombs(2))
        daemon.stopListening()
        let isOver = daemon.sayGoodbye()
        expect(try client.heard().map(\.code) == ["shutting-down"])
        client.vanish()
        #expect(isOver())
    }
}

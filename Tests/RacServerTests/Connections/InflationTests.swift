import NIOCore
import RacProtocol
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree) struct InflationTests {
    /// A frame that takes some more than two turns to inflate.
    private static let bomb = Wire.frame(
        #"{"op":"set","id":1,"channel":"bomb","value":\#(JSONText.filler(bytes: 2 * InflationTurns.bytesPerTurn))}"#,
        compressed: true
    )

    private static func bombs(_ count: Int) -> ByteBuffer {
        (0..<count).reduce(into: ByteBuffer()) { bytes, _ in bytes.writeImmutableBuffer(Self.bomb) }
    }

    @Test("Each turn inflates its part for all connections of a loop together, and serves others")
    func fairness() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(5) { try daemon.welcomed(deflate: true) }
        let good = clients[4]
        for client in clients[..<4] { try client.sayInOnePiece(Self.bombs(3)) }
        var answered: [Int] = []
        for turn in 1...30 {
            try good.sayInOnePiece(Wire.frame(#"{"op":"ping","id":\#(turn)}"#))
            daemon.runNow()
            #expect(try good.heard().map(\.text) == [#"{"op":"reply","id":\#(turn)}"#])
            let heard = try clients[..<4].map { try $0.heard().count }
            answered += heard.indices.flatMap { Array(repeating: $0, count: heard[$0]) }
            #expect(answered.count <= turn / 2)
            daemon.pass(microseconds: 100)
        }
        // Nobody has a second frame inflated before all have had one.
        #expect(answered == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3])
    }

    @Test("What comes behind a frame that waits for its turn waits too, and nothing is lost or changes its order")
    func order() throws {
        let client = try EmbeddedDaemon().welcomed(deflate: true)
        var bytes = Self.bombs(3)
        bytes.writeImmutableBuffer(Wire.frame(#"{"op":"ping","id":2}"#))
        bytes.writeImmutableBuffer(Wire.frame(#"{"op":"ping","id":3}"#, compressed: true))
        let beginning = bytes.readSlice(length: bytes.readableBytes - 5)
        try client.sayInOnePiece(try #require(beginning))
        #expect(client.handler.input.reading == .queued)
        try client.sayInOnePiece(bytes)
        client.endInput()
        let heard = try client.heard().map(\.text)
        #expect(heard.count == 5)
        for (id, answer) in zip([1, 1, 1, 2, 3], heard) { #expect(answer.contains(#""id":\#(id)"#)) }
        #expect(!client.isConnected)
    }

    @Test("Who waits for a turn is not taken for silent")
    func notSilent() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed(deflate: true)
        try client.sayInOnePiece(Self.bombs(1))
        for minute in 1...10 { client.handler.ticked(at: client.handler.loop.now + UInt64(minute) * 60_000) }
        daemon.runNow()
        #expect(client.isConnected)
    }

    @Test("Who is gone in the middle of its frame keeps nobody waiting")
    func gone() throws {
        let daemon = EmbeddedDaemon()
        let clients = try daemon.onOneLoop(3) { try daemon.welcomed(deflate: true) }
        for client in clients { try client.sayInOnePiece(Self.bombs(1)) }
        #expect(clients.map { $0.handler.input.reading == .queued } == [true, true, true])
        for client in clients[..<2] { client.vanish() }
        daemon.run()
        #expect(try clients[2].heard().count == 1)
    }

    @Test("A frame that inflates beyond the limit, or not at all, costs its turn too")
    func faults() throws {
        let daemon = EmbeddedDaemon { $0.maximumFrameBytes = InflationTurns.bytesPerTurn / 2 }
        let clients = try daemon.onOneLoop(3) { try daemon.welcomed(deflate: true) }
        for client in clients[..<2] { try client.sayInOnePiece(Self.bomb) }
        try clients[2].sayInOnePiece(Wire.frame(payload: ByteBuffer(string: "no zlib"), compressed: true))
        var codes: [[String?]] = [[], [], []]
        for turn in 1...3 {
            daemon.runNow()
            for (index, client) in clients.enumerated() { codes[index] += try client.heard().map(\.code) }
            #expect(codes.count { !$0.isEmpty } == turn)
            daemon.pass(microseconds: 100)
        }
        #expect(codes == [["too-large"], ["too-large"], ["bad-frame"]])
    }

    @Test("A daemon that stops inflates no more")
    func stops() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed(deflate: true)
        try client.sayInOnePiece(Self.bombs(2))
        daemon.stopListening()
        let isOver = daemon.sayGoodbye()
        #expect(try client.heard().map(\.code) == ["shutting-down"])
        client.vanish()
        #expect(isOver())
    }
}

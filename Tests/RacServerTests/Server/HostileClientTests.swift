import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct HostileClientTests {
    @Test("Random bytes and mutated frames harm only the client that sends them")
    func randomBytes() async throws {
        try await RunningDaemon.serving({ $0.maximumFrameBytes = 1 << 16 }) { daemon in
            var random = SeededRandom.ofThisRun
            let writer = try await daemon.welcomed()
            let reader = try await daemon.welcomed()
            _ = try await reader.bind("witness")
            for round in 1...150 {
                let hostile = try daemon.client()
                if random.once(in: 2) {
                    _ = try await hostile.ask(#"{"op":"hello","version":1,"deflate":true}"#)
                }
                _ = hostile.sayWhatFits(Self.nonsense(&random))
                _ = try await writer.ask(#"{"op":"set","id":1,"channel":"witness","value":\#(round)}"#)
                expect(try await reader.hear().value == "\(round)", "\(random.hint)")
                if random.once(in: 2) { hostile.reset() } else { hostile.hangUp() }
            }
        }
    }

    private static let samples = [
        Wire.hello,
        #"{"op":"bind","id":1,"channel":"a","will":{"value":[1,2,3]},"default":{"a":"b"}}"#,
        #"{"op":"next","t":17,"n":1,"value":"é\u00e9","if":3,"sync":true}"#,
        #"{"op":"put","id":2,"set":[{"channel":"b","value":1},{"channel":"c","value":null,"if":0}]}"#,
        #"{"op":"list","id":3,"pattern":"**","limit":1000}"#,
        #"{"op":"watch","id":4,"pattern":"*"}"#,
        #"{"op":"finish","id":5,"channel":"a","error":{"code":"x","message":"y","data":[]}}"#,
        #"{"op":"bye"}"#,
    ]

    /// Nothing but random bytes, or a few frames with some bytes exchanged.
    private static func nonsense(_ random: inout SeededRandom) -> ByteBuffer {
        if random.once(in: 4) {
            return ByteBuffer(bytes: random.bytes(count: Int.random(in: 1...2_000, using: &random)))
        }
        var bytes = ByteBuffer()
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            guard let text = Self.samples.randomElement(using: &random) else { continue }
            bytes.writeImmutableBuffer(Wire.frame(text, compressed: random.once(in: 3)))
        }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let index = Int.random(in: 0..<bytes.readableBytes, using: &random)
            bytes.setInteger(UInt8.random(in: .min ... .max, using: &random), at: index)
        }
        return bytes
    }
}

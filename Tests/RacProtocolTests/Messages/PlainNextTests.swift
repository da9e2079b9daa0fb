import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@Suite struct PlainNextTests {
    /// The message of a payload; nil if it is refused or unknown.
    private func message(_ payload: [UInt8]) -> ServerMessage? {
        (try? ServerMessage.read(payload: ByteBuffer(bytes: payload)) { _ in nil }) ?? nil
    }

    /// The message of the same payload with a space that only the long way takes.
    private func messageOfLongWay(_ payload: [UInt8]) -> ServerMessage? {
        self.message(payload.prefix(1) + [UInt8(ascii: " ")] + payload.dropFirst())
    }

    private static let payloads = [
        #"{"op":"next","t":13,"rev":43,"value":{"level": 7.50}}"#,
        #"{"op":"next","t":13,"rev":43,"cause":7,"value":[1]}"#,
        #"{"op":"next","t":1,"rev":9223372036854775806,"value":"x"}"#,
        #"{"op":"next","t":1,"rev":18446744073709551615,"value":1}"#,
        #"{"op":"next","t":1,"rev":9223372036854775807,"value":1}"#, #"{"op":"next","t":01,"rev":1,"value":1}"#,
        #"{"op":"next","t":0,"rev":0,"value":1}"#, #"{"op":"next","t":-1,"rev":1,"value":1}"#,
        #"{"op":"next","t":1.0,"rev":1,"value":1}"#, #"{"op":"next","t":1,"rev":1e2,"value":1}"#,
        #"{"op":"next","t":1,"rev":1,"value":1,"cause":4}"#,
        #"{"op":"next","t":1,"rev":1,"cause":4,"cause":5,"value":1}"#,
        #"{"op":"next","t":1,"rev":1,"value":1,"value":2}"#, #"{"op":"next","t":1,"rev":1,"value": 1 } "#,
        #"{"op":"next","t":1,"rev":1,"value":}"#, #"{"op":"next","t":1,"rev":1,"value":01}"#,
        #"{"op":"next","t":1,"rev":1,"value":1}}"#, #"{"op":"next","t":1,"rev":1,"value":1"#,
        #"{"op":"next","x":17,"value":1}"#, #"{"op":"next","t":1,"rev":1}"#,
    ]

    @Test("A value in the daemon's spelling means the same as in any other", arguments: Self.payloads)
    func spellings(payload: String) {
        expect(self.message(Array(payload.utf8)) == self.messageOfLongWay(Array(payload.utf8)))
    }

    @Test("A value may be nested as deep as in any other spelling")
    func depth() {
        for depth in [62, 63, 64] {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let payload = Array(#"{"op":"next","t":1,"rev":1,"value":\#(value)}"#.utf8)
            expect(self.message(payload) == self.messageOfLongWay(payload))
            expect((self.message(payload) == nil) == (depth == 64))
        }
    }

    @Test("A value with changed bytes means the same in both spellings")
    func mutations() {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(6_000) {
            var payload = Array((Self.payloads.randomElement(using: &random) ?? "{}").utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 1..<payload.count, using: &random)
                payload[place] = Array(#"0123456789-+.eE"{}[]:, tnxa"#.utf8).randomElement(using: &random) ?? 0
            }
            expect(self.message(payload) == self.messageOfLongWay(payload), "\(random.hint)")
        }
    }
}

import Expectations
import NIOCore
import RacProtocol
import Testing

/// Words of the protocol are found by their bytes; words with one beginning or one length must not mix.
@Suite struct WordTests {
    @Test("A word that is nearly an operation is none")
    func nearly() throws {
        for sample in try ClientSamples.all() {
            let operation = try Envelope(ByteBuffer(string: sample.payload)).requiredString(.op)
            for near in [operation + "s", String(operation.dropLast()), operation.uppercased(), " " + operation] {
                let payload = ByteBuffer(string: #"{"op":"\#(near)","id":1}"#)
                let error = #expect(throws: MessageError.self) { try ClientMessage(payload: payload) }
                expect(error?.error.code == "unknown-op", "\(near)")
            }
        }
    }

    @Test("Short and long unknown keys, and keys beyond ASCII, are passed over")
    func otherKeys() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let pairs = letters.flatMap { first in letters.map { first + $0 } }
        let long = (1...40).map { String(repeating: "é", count: $0) }
        let known = Set(Key.allCases.map(\.text))
        for word in letters + pairs + long where !known.contains(word) {
            let envelope = try Envelope(ByteBuffer(string: "{\"\(word)\":1}"))
            #expect(Key.allCases.allSatisfy { !envelope.has($0) }, "\(word)")
        }
    }
}

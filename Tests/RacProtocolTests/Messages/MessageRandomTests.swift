import NIOCore
import RacProtocol
import RacTesting
import Testing

@Suite struct MessageRandomTests {
    @Test("Random bytes are refused as bad-message, and nothing traps")
    func randomBytes() {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(6_000) {
            let payload = ByteBuffer(bytes: random.bytes(count: Int.random(in: 0...64, using: &random)))
            do {
                let message = try ClientMessage(payload: payload)
                Issue.record("\(message) came of random bytes, \(random.hint)")
            } catch {
                if error.error.code != "bad-message" { Issue.record("\(error), \(random.hint)") }
            }
        }
    }

    @Test("A client's message with some bytes changed is refused, or is a message that is written as it was read")
    func changedClientMessages() throws {
        var random = SeededRandom.ofThisRun
        let samples = try ClientSamples.all()
        var refused = 0
        for _ in 0..<400 {
            for sample in samples {
                let bytes = ByteChanger.changed(Array(sample.payload.utf8), using: &random)
                guard let message = try? ClientMessage(payload: ByteBuffer(bytes: bytes)) else {
                    refused += 1
                    continue
                }
                let payload = try Frames.sole { message.write(to: &$0) }
                let again = try ClientMessage(payload: payload)
                if again != message { Issue.record("\(String(buffer: payload)), \(random.hint)") }
            }
        }
        #expect((1..<400 * samples.count).contains(refused))
    }

    @Test("A daemon's message with some bytes changed is refused, or is a message that is written as it was read")
    func changedServerMessages() throws {
        var random = SeededRandom.ofThisRun
        let samples = try ServerSamples.all()
        var refused = 0
        for _ in 0..<400 {
            for sample in samples {
                let bytes = ByteBuffer(bytes: ByteChanger.changed(Array(sample.payload.utf8), using: &random))
                guard let read = try? ServerMessage.read(payload: bytes, request: { _ in sample.request }) else {
                    refused += 1
                    continue
                }
                let payload = try Frames.sole { read.write(to: &$0) }
                let again = try ServerMessage.read(payload: payload) { _ in sample.request }
                if again != read { Issue.record("\(String(buffer: payload)), \(random.hint)") }
            }
        }
        #expect((1..<400 * samples.count).contains(refused))
    }

    @Test("An object of random members is refused, or is a message that is written as it was read")
    func randomMembers() throws {
        var random = SeededRandom.ofThisRun
        let operations = try ClientSamples.all().map {
            try Envelope(ByteBuffer(string: $0.payload)).requiredJSON(.op).text
        }
        for _ in TestEffort.rounds(6_000) {
            let operation = operations.randomElement(using: &random) ?? "null"
            let keys = Key.allCases.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
            let members = keys.filter { $0 != .op }.map { "\"\($0.text)\":" + Self.value(using: &random) }
            let text = "{" + (["\"op\":\(operation)"] + members).joined(separator: ",") + "}"
            guard let message = try? ClientMessage(payload: ByteBuffer(string: text)) else { continue }
            let again = try ClientMessage(payload: Frames.sole { message.write(to: &$0) })
            if again != message { Issue.record("\(text), \(random.hint)") }
        }
    }

    private static func value(using random: inout SeededRandom) -> String {
        let usual = ["1", "0", "true", "\"a/b\"", "\"leading\"", #"{"code":"c"}"#, #"[{"channel":"c","value":1}]"#]
        return random.once(in: 4) ? JSONMaker.value(using: &random) : usual.randomElement(using: &random) ?? "1"
    }
}

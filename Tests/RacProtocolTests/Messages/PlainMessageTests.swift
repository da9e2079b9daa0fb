import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

/// The most frequent messages have a short way of reading and writing, with the results of the long one.
@Suite struct PlainMessageTests {
    private static let sends = [
        #"{"op":"next","t":3,"n":4,"value":1}"#, #"{"op":"next","t":0,"n":1,"value":"abcdefghi"}"#,
        #"{"op":"next","t":123456789012345678,"n":999999999999999999,"value":{"a":[1,"x\"y",true],"b":null}}"#,
        #"{"op":"next","t":1,"n":2,"value":"ünïcödé \u00e4 0123456789"}"#,
        #"{"op":"next","t":12,"n":34,"sync":true,"value":"abc"}"#,
        #"{"op":"next","t":1,"n":2,"value":[[[[-1.5e3]]]],"sync":true}"#,
    ]

    @Test("A plain send is read as the same message, and a text that is nearly one is left to the message reader")
    func reading() {
        var random = SeededRandom.ofThisRun
        var read = 0
        for round in TestEffort.rounds(1_500) {
            for text in Self.sends {
                let bytes = round == 0 ? Array(text.utf8) : ByteChanger.changed(Array(text.utf8), using: &random)
                let payload = ByteBuffer(bytes: bytes)
                guard let send = Send(plain: payload) else { continue }
                read += 1
                if (try? ClientMessage(payload: payload)) != .send(send) {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self)), \(random.hint)")
                }
            }
        }
        #expect((Self.sends.count..<4_000 * Self.sends.count).contains(read))
    }

    @Test("The usual sends of clients are plain", arguments: [false, true])
    func plain(sync: Bool) throws {
        for text in Self.sends.dropLast() { #expect(Send(plain: ByteBuffer(string: text)) != nil) }
        let event = Send.Event.next(try JSONText("[1]"), condition: nil, cause: nil)
        let send = Send(terminal: TerminalID(7), number: SendNumber(8), event: event, sync: sync)
        expect(Send(plain: try Frames.sole { ClientMessage.send(send).write(to: &$0) }) == send)
    }

    @Test(
        "An invalid send is not plain, and is refused as a message",
        arguments: [
            #"{"op":"next","t":3,"n":0,"value":1}"#, #"{"op":"next","t":03,"n":4,"value":1}"#,
            #"{"op":"next","t":3,"n":4,"value":}"#, #"{"op":"next","t":3,"n":4,"value":1}}"#,
            #"{"op":"next","t":3,"n":4,"value":1"#, #"{"op":"next","t":,"n":4,"value":1}"#,
            #"{"op":"next","t":-3,"n":4,"value":1}"#, #"{"op":"next","t":3,"n":99999999999999999999,"value":1}"#,
            #"{"op":"next","t":3,"n":4,"value":"a"# + "\u{1}" + #"bcdefghijk"}"#,
        ]
    )
    func refused(_ text: String) {
        expect(Send(plain: ByteBuffer(string: text)) == nil)
        #expect(throws: MessageError.self) { try ClientMessage(payload: ByteBuffer(string: text)) }
    }

    @Test("A value may be as deep in a plain send as in any other")
    func depth() throws {
        for depth in [JSONText.maximumDepth, JSONText.maximumDepth + 1] {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let text = #"{"op":"next","t":3,"n":4,"value":\#(value)}"#
            expect((Send(plain: ByteBuffer(string: text)) != nil) == (depth == JSONText.maximumDepth))
        }
    }

    @Test("Values and acknowledgements have the same bytes whichever way they are written")
    func writing() throws {
        var random = SeededRandom.ofThisRun
        var (plain, long) = (FrameBytes(), FrameBytes())
        for round in 0..<2_000 {
            let number = { UInt64.random(in: 0...(.max >> UInt64.random(in: 0..<64, using: &random)), using: &random) }
            let terminal = TerminalID(number())
            let valuation = Valuation(
                value: try JSONText(JSONMaker.value(using: &random)),
                revision: Revision(number()),
                cause: round.isMultiple(of: 2) ? nil : Revision(number())
            )
            plain.append(valuation, of: terminal)
            long.append(.next(terminal, valuation))
            let send = SendNumber(number())
            plain.append(ackOf: send, of: terminal, as: valuation.revision)
            long.append(.ack(terminal, send, valuation.revision))
        }
        expect(plain == long)
    }
}

import LoadGenerator
import Testing

@Suite struct RacDialectTests {
    @Test("The daemon's messages are read alike however they are cut")
    func reading() throws {
        let transcript = Transcript(
            frames: #"{"op":"welcome","version":1}"#,
            #"{"op":"reply","id":7,"t":13,"rev":0,"state":"open","mode":"shared","n":0}"#,
            #"{"op":"next","t":13,"rev":44,"value":"000000000700000001"}"#,
            #"{"op":"ack","t":13,"n":1,"rev":44}"#,
            #"{"op":"ping"}"#,
            #"{"op":"reply","id":1,"rev":45}"#,
            #"{"op":"reply","id":1,"w":2}"#,
            #"{"op":"changed","w":2,"channel":"bench/3","rev":9,"state":"open","value":"000000000300000001"}"#,
            #"{"op":"changed","w":2,"channel":"bench/4","rev":9,"value":"000000000400000001","by":"bench"}"#,
            #"{"op":"synced","w":2}"#
        )
        let expected = Arrivals(
            [.opened, .bound, .value(7, 1), .answered, .value(3, 1), .value(4, 1), .synced],
            answer: "\0\0\0\u{0D}{\"op\":\"pong\"}"
        )
        #expect(try transcript.readings(by: RacDialect()) == [expected])
    }

    @Test(
        "A refusal, a nak and a frame that is too long are thrown",
        arguments: [
            Transcript(frames: #"{"op":"refused","id":1,"error":{"code":"limit","message":"no"}}"#),
            Transcript(frames: #"{"op":"nak","t":1,"n":1,"error":{"code":"conflict","message":"no"},"rev":0}"#),
            Transcript([0x7F, 0, 0, 0]),
        ]
    )
    func faults(transcript: Transcript) {
        #expect(throws: ProtocolError.self) { try transcript.read(by: RacDialect(), cutAt: []) }
    }

    @Test("A client with credentials shows its token")
    func login() {
        let opening = RacDialect(Credentials(user: "ab", secret: "cde")).opening()
        let frames = Transcript(frames: #"{"op":"hello","version":1,"agent":"compare/1","token":"cde"}"#)
        #expect(opening == frames.bytes)
    }

    @Test("A writer sends to the terminal of its bind, with numbers that grow")
    func sending() throws {
        var dialect = RacDialect()
        var arrivals = Arrivals()
        let reply = Transcript(frames: #"{"op":"reply","id":7,"t":13,"rev":0,"n":4}"#)
        #expect(try dialect.read(reply.bytes.span, into: &arrivals) == reply.bytes.count)
        let text = written(by: dialect) { dialect, bytes in
            for number in 1...2 {
                dialect.send(NumberedValue(channel: 7, number: number), byteCount: 18, into: &bytes)
            }
        }
        let frames = Transcript(
            frames: #"{"op":"next","t":13,"n":5,"value":"0000000700000001"}"#,
            #"{"op":"next","t":13,"n":6,"value":"0000000700000002"}"#
        )
        #expect(text == String(decoding: frames.bytes, as: UTF8.self))
    }

    @Test("Values that are stored have an id each, and ask for the disk where it is wanted")
    func storing() {
        let text = written(by: RacDialect()) { dialect, bytes in
            dialect.store(NumberedValue(channel: 7, number: 1), byteCount: 18, durably: true, into: &bytes)
            dialect.store(NumberedValue(channel: 8, number: 1), byteCount: 18, durably: false, into: &bytes)
        }
        let frames = Transcript(
            frames: #"{"op":"set","id":1,"channel":"bench/7","sync":true,"value":"0000000700000001"}"#,
            #"{"op":"set","id":2,"channel":"bench/8","value":"0000000800000001"}"#
        )
        #expect(text == String(decoding: frames.bytes, as: UTF8.self))
    }

    @Test("The welcome and the values are read of the relay's frames")
    func relay() throws {
        let transcript = Transcript(
            frames: #"{"op":"welcome","version":1,"server":"relay"}"#,
            #"{"op":"ack","t":1,"n":1,"rev":1}"#,
            #"{"op":"next","t":1,"n":1,"value":"0000000000000009"}"#
        )
        #expect(try transcript.readings(by: RelayDialect()) == [Arrivals([.opened, .value(0, 9)])])
    }
}

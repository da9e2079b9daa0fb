import Expectations
import NIOCore
import RacProtocol
import Testing

/// Reads payloads that this code does not write itself.
@Suite struct ClientMessageReadingTests {
    @Test("Keys in another order, with spaces, escapes and unknown neighbours mean the same")
    func otherSpelling() throws {
        let text = #" { "y" : [ ] , "value" : 1.0 , "\u006f\u0070" : "n\u0065xt" , "n" : 4 , "sync" : 1 , "t" : 3 } "#
        let event = Send.Event.next(try JSONText("1.0"), condition: nil, cause: nil)
        let send = Send(terminal: TerminalID(3), number: SendNumber(4), event: event, sync: true)
        expect(try Self.read(text) == .send(send))
    }

    @Test("A value keeps its bytes on the way through a message")
    func verbatimValue() throws {
        let value = #"{ "b":1.00, "a" : "\u00fc\ud800" ,"a":1e2}"#
        guard case .request(_, .set(let set)) = try Self.read(#"{"op":"set","id":1,"channel":"c","value": \#(value) }"#)
        else {
            Issue.record("it is no set")
            return
        }
        expect(set.value.text == value)
    }

    @Test(
        "A missing key, a wrong type and a number out of range are refused, with the id that was asked with",
        arguments: [
            #"{"op":"bind","id":7}"#, #"{"op":"bind","id":7,"channel":1}"#, #"{"op":"bind","id":7,"channel":null}"#,
            #"{"op":"bind","id":7,"channel":"c","role":"middle"}"#, #"{"op":"bind","id":7,"channel":"c","role":1}"#,
            #"{"op":"bind","id":7,"channel":"c","replay":"yes"}"#, #"{"op":"bind","id":7,"channel":"c","since":-1}"#,
            #"{"op":"bind","id":7,"channel":"c","since":null}"#, #"{"op":"bind","id":7,"channel":"c","interval":1.5}"#,
            #"{"op":"bind","id":7,"channel":"c","interval":86400001}"#,
            #"{"op":"bind","id":7,"channel":"c","interval":9223372036854775807}"#,
            #"{"op":"bind","id":7,"channel":"c","will":1}"#, #"{"op":"bind","id":7,"channel":"c","will":{}}"#,
            #"{"op":"bind","id":7,"channel":"c","will":{"value":1,"completed":true}}"#,
            #"{"op":"bind","id":7,"channel":"c","will":{"completed":false}}"#,
            #"{"op":"bind","id":7,"channel":"c","will":{"error":{"message":"m"}}}"#,
            #"{"op":"bind","id":7,"channel":"c","channel":"c"}"#, #"{"op":"unbind","id":7}"#,
            #"{"op":"unbind","id":7,"t":"3"}"#, #"{"op":"get","id":7}"#, #"{"op":"set","id":7,"channel":"c"}"#,
            #"{"op":"set","id":7,"value":1}"#, #"{"op":"set","id":7,"channel":"c","value":1,"if":-1}"#,
            #"{"op":"set","id":7,"channel":"c","value":1,"sync":2}"#,
            #"{"op":"finish","id":7,"channel":"c","error":"e"}"#,
            #"{"op":"finish","id":7,"channel":"c","error":{}}"#, #"{"op":"reopen","id":7}"#, #"{"op":"delete","id":7}"#,
            #"{"op":"create","id":7,"channel":"c","mode":"both"}"#, #"{"op":"put","id":7}"#,
            #"{"op":"put","id":7,"set":[]}"#,
            #"{"op":"put","id":7,"set":{}}"#, #"{"op":"put","id":7,"set":[1]}"#,
            #"{"op":"put","id":7,"set":[{"channel":"c"}]}"#, #"{"op":"list","id":7,"limit":-1}"#,
            #"{"op":"list","id":7,"pattern":1}"#, #"{"op":"who","id":7,"channel":1}"#, #"{"op":"watch","id":7}"#,
            #"{"op":"unwatch","id":7}"#,
            #"{"op":"next","id":7,"t":1,"value":1}"#, #"{"op":"next","id":7,"t":1,"n":0,"value":1}"#,
            #"{"op":"next","id":7,"n":1,"value":1}"#, #"{"op":"next","id":7,"t":1,"n":1}"#,
            #"{"op":"next","id":7,"t":1,"n":9223372036854775808,"value":1}"#, #"{"op":"completed","id":7,"t":1}"#,
            #"{"op":"error","id":7,"t":1,"n":1}"#, #"{"op":"hello","id":7}"#, #"{"op":"hello","id":7,"version":"1"}"#,
            #"{"op":"host","id":7}"#, #"{"op":"host","id":7,"command":1}"#,
            #"{"op":"host","id":7,"command":"c","enabled":"yes"}"#, #"{"op":"unhost","id":7}"#,
            #"{"op":"exec","id":7}"#, #"{"op":"observe","id":7}"#, #"{"op":"unobserve","id":7,"c":"1"}"#,
            #"{"op":"next","id":7,"x":1}"#, #"{"op":"next","id":7,"x":-1,"value":1}"#,
            #"{"op":"next","id":7,"t":1,"x":1,"n":1,"value":1}"#, #"{"op":"completed","id":7,"t":1,"x":1,"n":1}"#,
            #"{"op":"error","id":7,"x":1}"#, #"{"op":"cancel","id":7}"#, #"{"op":"enabled","id":7,"c":1}"#,
            #"{"op":"enabled","id":7,"enabled":true}"#,
            #"{"id":7}"#, #"{"op":1,"id":7}"#, #"{"op":null,"id":7}"#,
        ]
    )
    func refused(text: String) throws {
        let error = try #require(Self.fault(text))
        expect(error.error.code == "bad-message")
        let isOfEntry = error.subject == .entry(RequestID(7), 0) && text.contains("put")
        #expect(error.subject == .request(RequestID(7)) || isOfEntry)
    }

    @Test("A put has the entries of its limit, and one more is refused")
    func longestPut() throws {
        func put(_ count: Int) -> String {
            let entries = (0..<count).map { #"{"channel":"\#($0)","value":1}"# }
            return #"{"op":"put","id":7,"set":[\#(entries.joined(separator: ","))]}"#
        }
        expect(Self.fault(put(2048)) == nil)
        let error = try #require(Self.fault(put(2049)))
        #expect(error.error.code == "limit" && error.subject == .request(RequestID(7)))
    }

    @Test(
        "A request without an id, or with one that is no integer, is refused without one",
        arguments: [
            #"{"op":"get","channel":"c"}"#, #"{"op":"get","id":"1","channel":"c"}"#,
            #"{"op":"get","id":1.5,"channel":"c"}"#,
            #"{"op":"get","id":null,"channel":"c"}"#, #"{"op":"get","id":9223372036854775808,"channel":"c"}"#,
        ]
    )
    func withoutID(text: String) throws {
        let error = try #require(Self.fault(text))
        expect(error.error.code == "bad-message")
        expect(error.subject == nil)
    }

    @Test(
        "A name or pattern that breaks the rules is bad-name",
        arguments: [
            #"{"op":"get","id":7,"channel":"a//b"}"#, #"{"op":"get","id":7,"channel":""}"#,
            #"{"op":"get","id":7,"channel":"a\u0000"}"#, #"{"op":"get","id":7,"channel":"*"}"#,
            #"{"op":"watch","id":7,"pattern":"a*"}"#, #"{"op":"list","id":7,"pattern":"/"}"#,
            #"{"op":"list","id":7,"after":"a/"}"#, #"{"op":"put","id":7,"set":[{"channel":"/","value":1}]}"#,
        ]
    )
    func badNames(text: String) throws {
        let error = try #require(Self.fault(text))
        expect(error.error.code == "bad-name")
        expect(error.subject == (text.contains("put") ? .entry(RequestID(7), 0) : .request(RequestID(7))))
    }

    @Test("A refused put names its first invalid entry")
    func entries() throws {
        let text = #"{"op":"put","id":7,"set":[{"channel":"a","value":1},{"channel":"b"},{"channel":"/","value":1}]}"#
        let error = try #require(Self.fault(text))
        expect(error.error.code == "bad-message")
        expect(error.subject == .entry(RequestID(7), 1))
    }

    @Test(
        "A message that is nested too deep, or has a key twice, is refused under its id or number, wherever they stand",
        arguments: [
            (#"{"op":"set","id":7,"channel":"a","value":DEEP}"#, .request(RequestID(7))),
            (#"{"value":DEEP,"channel":"a","id":7,"op":"set"}"#, .request(RequestID(7))),
            (#"{"op":"next","t":13,"n":4,"value":DEEP}"#, .send(TerminalID(13), SendNumber(4))),
            (#"{"value":DEEP,"n":4,"op":"next","t":13}"#, .send(TerminalID(13), SendNumber(4))),
            (#"{"op":"get","channel":"a","channel":"b","id":7}"#, .request(RequestID(7))),
            (#"{"op":"next","t":13,"n":4,"value":1,"value":2}"#, .send(TerminalID(13), SendNumber(4))),
            (#"{"op":"get","id":7,"id":8,"channel":"a"}"#, nil), (#"{"op":"next","t":13,"n":4,"n":4,"value":1}"#, nil),
            (#"{"op":"next","op":"next","t":13,"n":4,"value":1}"#, nil), (#"{"id":7,"value":DEEP"#, nil),
            (#"{"id":7,"value":DEEP,}"#, nil), (#"{"id":7,"value":[DEEP}"#, nil), (#"[{"id":7},DEEP]"#, nil),
        ] as [(String, MessageError.Subject?)]
    )
    func tooDeep(text: String, subject: MessageError.Subject?) throws {
        let deep = String(repeating: "[", count: 70) + #""]\"""# + String(repeating: "]", count: 70)
        let error = try #require(Self.fault(text.replacing("DEEP", with: deep)))
        expect(error.error.code == "bad-message")
        expect(error.subject == subject)
    }

    @Test(
        "A send that is no valid message is refused as a send, where its terminal and number can be read",
        arguments: [
            #"{"op":"next","t":13,"n":4}"#, #"{"op":"next","t":13,"n":4,"value":1,"if":-1}"#,
            #"{"op":"next","t":13,"n":4,"value":1,"sync":"yes"}"#, #"{"op":"error","t":13,"n":4}"#,
        ]
    )
    func sends(text: String) throws {
        let error = try #require(Self.fault(text))
        expect(error.error.code == "bad-message")
        expect(error.subject == .send(TerminalID(13), SendNumber(4)))
    }

    @Test(
        "A send whose terminal or number cannot be read is refused without them",
        arguments: [
            #"{"op":"next","n":4,"value":1}"#, #"{"op":"next","t":13,"value":1}"#,
            #"{"op":"next","t":13,"n":0,"value":1}"#, #"{"op":"next","t":1,"x":1,"n":1,"value":1}"#,
        ]
    )
    func namelessSends(text: String) throws {
        expect(try #require(Self.fault(text)).subject == nil)
    }

    @Test("An operation that does not exist is named by its beginning only")
    func unknownOperation() throws {
        let error = try #require(Self.fault(#"{"op":"dance","id":5}"#))
        expect(error.error.code == "unknown-op")
        #expect(error.error.message.contains("\"dance\""))
        expect(error.subject == .request(RequestID(5)))
        // One character may have any number of bytes.
        for long in [String(repeating: "x", count: 100_000), "e" + String(repeating: "\u{301}", count: 100_000)] {
            let error = try #require(Self.fault(#"{"op":"\#(long)","id":5}"#))
            expect(error.error.code == "unknown-op")
            #expect(error.error.message.utf8.count < 500)
        }
    }

    @Test("A value in a put stands two levels deeper than one in a set")
    func depthInPut() {
        func put(_ count: Int) -> String {
            let value = String(repeating: "[", count: count) + String(repeating: "]", count: count)
            return #"{"op":"put","id":1,"set":[{"channel":"c","value":\#(value)}]}"#
        }
        expect(Self.fault(put(61)) == nil)
        expect(Self.fault(put(62))?.error.code == "bad-message")
    }

    private static func read(_ text: String) throws(MessageError) -> ClientMessage {
        try ClientMessage(payload: ByteBuffer(string: text))
    }

    private static func fault(_ text: String) -> MessageError? {
        do {
            _ = try Self.read(text)
            return nil
        } catch {
            return error
        }
    }
}

@Suite struct ServerMessageReadingTests {
    @Test("An operation of a later version is passed over, not refused")
    func unknownOperation() throws {
        expect(try ServerMessage.read(payload: ByteBuffer(string: #"{"op":"later","x":1}"#)) { _ in nil } == nil)
    }

    @Test("A reply to a request that nobody made is passed over")
    func unknownReply() throws {
        expect(
            try ServerMessage.read(payload: ByteBuffer(string: #"{"op":"reply","id":4,"rev":1}"#)) { _ in nil } == nil
        )
        expect(try ServerMessage.read(payload: ByteBuffer(string: #"{"op":"reply","rev":1}"#)) { _ in .ping } == nil)
    }

    @Test(
        "A message without what belongs into it, or with the wrong type, is refused",
        arguments: [
            #"{"op":"welcome","version":1}"#, #"{"op":"refused"}"#, #"{"op":"refused","error":{}}"#,
            #"{"op":"next","t":1}"#,
            #"{"op":"next","t":1,"rev":1}"#, #"{"op":"next","rev":1,"value":1}"#, #"{"op":"completed"}"#,
            #"{"op":"error","t":1}"#, #"{"op":"ack","t":1,"n":1}"#, #"{"op":"ack","t":1,"rev":1}"#,
            #"{"op":"nak","t":1,"n":1}"#, #"{"op":"changed","w":1,"channel":"c","rev":1}"#,
            #"{"op":"changed","w":1,"channel":"c","rev":1,"state":"gone"}"#,
            #"{"op":"changed","w":1,"channel":"/","rev":1,"state":"open"}"#,
            #"{"op":"changed","channel":"c","rev":1,"state":"open"}"#, #"{"op":"synced"}"#, #"{}"#, #"{"op":1}"#, "[]",
        ]
    )
    func refused(text: String) {
        #expect(throws: MessageError.self) {
            try ServerMessage.read(payload: ByteBuffer(string: text)) { _ in nil }
        }
    }

    @Test("The revisions of a put are numbers, each of them")
    func putRevisions() throws {
        let put = Request.put(Put(entries: [Put.Entry(channel: try ChannelName("c"), value: .null)]))
        for text in ["", #","revs":1"#, #","revs":["1"]"#, #","revs":[1,-1]"#, #","revs":[1.0]"#, #","revs":[null]"#] {
            #expect(throws: MessageError.self, "\(text)") {
                try ServerMessage.read(payload: ByteBuffer(string: #"{"op":"reply","id":1\#(text)}"#)) { _ in put }
            }
        }
        let spaced = ByteBuffer(string: #"{"op":"reply","id":1,"revs":[ 1 , 2 ]}"#)
        let reply = Reply.revisions([Revision(1), Revision(2)])
        expect(try ServerMessage.read(payload: spaced) { _ in put } == .reply(RequestID(1), reply))
    }
}

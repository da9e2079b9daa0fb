import Expectations
import NIOCore
import RacProtocol
import Testing

@Suite struct EnvelopeTests {
    @Test("A known key is found wherever it stands, with space around it or none")
    func keys() throws {
        let envelope = try Envelope(ByteBuffer(string: " {\n\"t\" : 7 ,\"value\": [1, 2] ,\"op\":\"next\"} \n"))
        expect(try envelope.requiredCount(.t) == 7)
        expect(try envelope.requiredJSON(.value).text == "[1, 2]")
        expect(try envelope.requiredString(.op) == "next")
        #expect(!envelope.has(.n))
    }

    @Test(
        "Keys that the protocol does not know are passed over, doubled ones and long ones too",
        arguments: [
            #"{"y":1,"t":7}"#, #"{"t":7,"y":{"t":8}}"#, #"{"":0,"T":1,"t ":2,"tt":3,"t":7}"#, #"{"y":1,"y":2,"t":7}"#,
            #"{"a key that is longer than every key of the protocol":1,"t":7}"#, #"{"\ud800":1,"t":7}"#,
            #"{"t\u0000":1,"t":7}"#, #"{"\u00e9":1,"é":2,"t":7}"#,
        ]
    )
    func unknownKeys(text: String) throws {
        expect(try Envelope(ByteBuffer(string: text)).requiredCount(.t) == 7)
    }

    @Test("A key may be written with escapes", arguments: [#"{"\u0074":7}"#, #"{"t":7}"#])
    func escapedKeys(text: String) throws {
        expect(try Envelope(ByteBuffer(string: text)).requiredCount(.t) == 7)
    }

    @Test("An empty object is an envelope without keys")
    func empty() throws {
        let envelope = try Envelope(ByteBuffer(string: "{ }"))
        for key in Key.allCases {
            #expect(!envelope.has(key))
            expect(envelope.json(key) == nil)
        }
    }

    @Test("Every key of the protocol is found under its own name")
    func everyKey() throws {
        for key in Key.allCases {
            let envelope = try Envelope(ByteBuffer(string: "{\"\(key.text)\":\"\(key.text)!\"}"))
            expect(try envelope.requiredString(key) == key.text + "!")
            expect(Key.allCases.filter(envelope.has) == [key])
        }
    }

    @Test(
        "A known key that comes twice is refused by its name",
        arguments: [#"{"t":1,"t":1}"#, #"{"t":1,"x":0,"\u0074":2}"#, #"{"t":1,"t":1,"t":1}"#]
    )
    func doubledKeys(text: String) {
        let error = #expect(throws: MessageError.self) { try Envelope(ByteBuffer(string: text)) }
        expect(error?.error.code == "bad-message")
        expect(error?.error.message.contains("\"t\" comes twice") == true)
    }

    @Test(
        "A text that is not one object is refused",
        arguments: [
            "", " ", "null", "1", "\"{}\"", "[]", "[{}]", "{}{}", "{} x", "{", "{\"t\"", "{\"t\":", "{\"t\":1",
            "{\"t\":1,",
            "{\"t\":1,}", "{t:1}", "{\"t\":01}", "{\"\\x\":1}",
        ]
    )
    func noObject(text: String) {
        let error = #expect(throws: MessageError.self) { try Envelope(ByteBuffer(string: text)) }
        expect(error?.error.code == "bad-message")
    }

    @Test("The object and what is in it are at most 64 deep together")
    func depth() throws {
        func nested(_ count: Int) -> ByteBuffer {
            let opening = String(repeating: "[", count: count)
            return ByteBuffer(string: "{\"value\":\(opening)\(String(repeating: "]", count: count))}")
        }
        #expect(try Envelope(nested(63)).has(.value))
        #expect(throws: MessageError.self) { try Envelope(nested(64)) }
        #expect(try Envelope(nested(61), inside: 2).has(.value))
        #expect(throws: MessageError.self) { try Envelope(nested(62), inside: 2) }
    }
}

@Suite struct EnvelopeValueTests {
    @Test(
        "An integer is written plainly and fits into 64 bits with a sign",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775807", -.max),
            ("-9223372036854775808", .min),
        ] as [(String, Int64)]
    )
    func integers(text: String, number: Int64) throws {
        let envelope = try Self.envelope("id", text)
        expect(try envelope.integer(.id) == number)
    }

    @Test(
        "Anything else is no integer",
        arguments: [
            "1.0", "1e3", "1E0", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "\"1\"", "null",
            "true", "[]", "{}",
        ]
    )
    func noIntegers(text: String) throws {
        let envelope = try Self.envelope("id", text)
        #expect(Self.fault { () throws(MessageError) in _ = try envelope.integer(.id) })
    }

    @Test("A count is an integer that is not negative")
    func counts() throws {
        let count = try Self.envelope("n", "9223372036854775807")
        expect(try count.count(.n) == UInt64(Int64.max))
        let negative = try Self.envelope("n", "-1")
        #expect(Self.fault { () throws(MessageError) in _ = try negative.count(.n) })
    }

    @Test("A flag is true, false, 1 or 0", arguments: [("true", true), ("1", true), ("false", false), ("0", false)])
    func flags(text: String, flag: Bool) throws {
        let envelope = try Self.envelope("sync", text)
        expect(try envelope.flag(.sync) == flag)
    }

    @Test(
        "Anything else is no flag",
        arguments: ["null", "\"true\"", "2", "10", "1.0", "-1", "-0", "0.0", "[]", "{}", "\"1\""]
    )
    func noFlags(text: String) throws {
        let envelope = try Self.envelope("sync", text)
        #expect(Self.fault { () throws(MessageError) in _ = try envelope.flag(.sync) })
    }

    @Test("A string is read with its escapes; what is no text is no string")
    func strings() throws {
        let escaped = try Self.envelope("agent", #""a\u00e9\n\"""#)
        expect(try escaped.string(.agent) == "a\u{E9}\n\"")
        for text in ["1", "null", "true", "[]", "{}", #""\ud800""#] {
            let envelope = try Self.envelope("agent", text)
            #expect(Self.fault { () throws(MessageError) in _ = try envelope.string(.agent) }, "\(text)")
        }
    }

    @Test("A word that is not of the set is refused, and only its beginning shown")
    func words() throws {
        let known = try Self.envelope("role", #""l\u0065ading""#)
        expect(try known.word(.role, as: Role.self) == .leading)
        let long = try Self.envelope("role", "\"\(String(repeating: "e\u{301}", count: 10_000))\"")
        do {
            _ = try long.word(.role, as: Role.self)
            Issue.record("an unknown word was taken")
        } catch {
            #expect(error.error.message.utf8.count < 500)
        }
    }

    @Test("A required key that is missing is refused by its name")
    func missing() throws {
        let envelope = try Envelope(ByteBuffer(string: "{}"))
        do {
            _ = try envelope.requiredCount(.t)
            Issue.record("a missing key was taken")
        } catch {
            expect(error.error.code == "bad-message")
            #expect(error.error.message.contains("\"t\" is missing"))
        }
    }

    @Test("An error has a code of 1 to 255 bytes, and may have a message and data")
    func errors() throws {
        let whole = try Self.envelope("error", #"{"data":{"pin":7},"code":"c","message":"m","x":1}"#)
        expect(try whole.wireError() == WireError(code: "c", message: "m", data: JSONText(#"{"pin":7}"#)))
        let bare = try Self.envelope("error", "{\"code\":\"\(String(repeating: "c", count: 255))\"}")
        expect(try bare.wireError()?.message == "")
        for text in [
            "{}", "1", "[]", "null", #"{"code":1}"#, #"{"code":""}"#, #"{"code":"a","message":1}"#,
            #"{"code":"a","code":"b"}"#, "{\"code\":\"\(String(repeating: "c", count: 256))\"}",
        ] {
            let envelope = try Self.envelope("error", text)
            #expect(Self.fault { () throws(MessageError) in _ = try envelope.wireError() }, "\(text)")
        }
    }

    private static func envelope(_ key: String, _ value: some StringProtocol) throws -> Envelope {
        try Envelope(ByteBuffer(string: "{\"\(key)\":\(value)}"))
    }

    private static func fault(_ read: () throws(MessageError) -> Void) -> Bool {
        do {
            try read()
            return false
        } catch {
            return error.error.code == "bad-message"
        }
    }
}

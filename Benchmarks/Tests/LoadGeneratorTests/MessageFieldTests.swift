import LoadGenerator
import Testing

@Suite struct MessageFieldTests {
    @Test("A number is found wherever it stands at the top, with or without spaces and quotes")
    func numbers() {
        let message = Message(#"{"op":"ack", "n" : 42,"deep":{"rev":1},"value":"0017","rev":9007199254740993}"#)
        #expect(message.number("n") == 42)
        #expect(message.number("rev") == 9_007_199_254_740_993)
        #expect(message.number("value") == 17)
    }

    @Test("A field that stands deeper, in a string or behind an escape is no field of the message")
    func looksLikeAField() {
        let message = Message(#"{"value":{"n":1},"list":[{"n":2}],"text":"\",\"n\":3","other":"n"}"#)
        #expect(message.number("n") == nil)
        #expect(message.string("other") == "n")
    }

    @Test("A string is compared as a whole")
    func strings() {
        let message = Message(#"{"op":"next","t":3}"#)
        #expect(message.field("op", is: "next"))
        #expect(!message.field("op", is: "nex"))
        #expect(!message.field("op", is: "next1"))
        #expect(!message.field("t", is: "3"))
    }

    @Test(
        "Nothing is found in what is cut off or no object",
        arguments: ["", "{", #"{"n"#, #"{"n""#, #"{"n":"#, #"{"n":""#, "42", #"{"\"#]
    )
    func broken(text: String) {
        let message = Message(text)
        #expect(message.number("n") == nil)
        #expect(message.string("m") == nil)
        #expect(!message.field("n", is: "x"))
    }

    @Test("A number too large for an integer is none")
    func tooLarge() {
        let message = Message(#"{"n":99999999999999999999999}"#)
        #expect(message.number("n") == nil)
    }
}

/// The fields of a message that is a value, since an expectation cannot hold a span.
struct Message {
    private let bytes: [UInt8]

    init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    func number(_ name: StaticString) -> Int? {
        self.bytes.span.number(name)
    }

    func string(_ name: StaticString) -> String? {
        self.bytes.span.string(name)
    }

    func field(_ name: StaticString, is text: StaticString) -> Bool {
        self.bytes.span.field(name, is: text)
    }
}

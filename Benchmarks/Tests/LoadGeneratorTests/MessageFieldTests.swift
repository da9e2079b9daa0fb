import LoadGenerator
import Testing

@Suite struct MessageFieldTests {
    @Test("A number is found wherever it stands at the top, with or without spaces and quotes")
    func numbers() {
        let bytes = Array(#"{"op":"ack", "n" : 42,"deep":{"rev":1},"value":"0017","rev":9007199254740993}"#.utf8)
        #expect(bytes.span.number("n") == 42)
        #expect(bytes.span.number("rev") == 9_007_199_254_740_993)
        #expect(bytes.span.number("value") == 17)
    }

    @Test("What stands deeper, in a string or behind an escape is no field of the message")
    func looksLikeAField() {
        let bytes = Array(#"{"value":{"n":1},"list":[{"n":2}],"text":"\",\"n\":3","other":"n"}"#.utf8)
        #expect(bytes.span.number("n") == nil)
        #expect(bytes.span.string("other") == "n")
    }

    @Test("A string is compared as a whole")
    func strings() {
        let bytes = Array(#"{"op":"next","t":3}"#.utf8)
        #expect(bytes.span.field("op", is: "next"))
        #expect(!bytes.span.field("op", is: "nex"))
        #expect(!bytes.span.field("op", is: "next1"))
        #expect(!bytes.span.field("t", is: "3"))
    }

    @Test(
        "Nothing is found in what is cut off or no object",
        arguments: ["", "{", #"{"n"#, #"{"n""#, #"{"n":"#, #"{"n":""#, "42", #"{"\"#]
    )
    func broken(text: String) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.number("n") == nil)
        #expect(bytes.span.string("m") == nil)
        #expect(!bytes.span.field("n", is: "x"))
    }

    @Test("A number too large for an integer is none")
    func tooLarge() {
        let bytes = Array(#"{"n":99999999999999999999999}"#.utf8)
        #expect(bytes.span.number("n") == nil)
    }
}

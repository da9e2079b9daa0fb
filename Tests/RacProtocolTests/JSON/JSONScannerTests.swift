import Expectations
import RacProtocol
import Testing

/// Runs the scanner over one value that must be all of the text.
enum SoleValue {
    static func fault(in bytes: [UInt8], maximumDepth: Int = JSONScanner.maximumDepth) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONScanner.soleValue(in: bytes.span, maximumDepth: maximumDepth)
            return nil
        } catch {
            return error
        }
    }

    static func fault(in text: String) -> JSONError? {
        self.fault(in: Array(text.utf8))
    }
}

@Suite struct JSONScannerTests {
    static let valid = [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "1234567890123456789012345678901234567890", "0.0", "-0.5",
        "1.25", "1e1", "1E1", "1e+1", "1e-1", "0e0", "1.5e300", "1e999999", "\"\"", "\"a\"", "\"ü\"", "\"日本\"", "\"😀\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\uD83D\\uDE00\"", "\"\\ud800\"", "\"\\udc00x\"",
        "\"\u{7F}\"",
        "\"\u{2028}\"", "[]", "{}", "[ ]", "{ }", "[1]", "[1,2,3]", "[[],{}]", "[null,true,\"x\",{\"a\":[1]}]",
        "{\"a\":1}",
        "{\"a\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", "{\"a\":1,\"a\":2}", "{\"\":0}", "{\"\\u0061\":1}",
        " \t\r\n1 \t\r\n", " { \"a\" : [ 1 , 2 ] , \"b\" : { } } ", "\"/\"", "[\"]\",\"}\",\"\\\\\"]",
    ]

    @Test("A text that RFC 8259 calls JSON is accepted", arguments: Self.valid)
    func accepted(text: String) {
        expect(SoleValue.fault(in: text) == nil)
    }

    @Test(
        "A text that RFC 8259 does not call JSON is refused",
        arguments: [
            "nul", "nulll", "tru", "truE", "True", "fals", "NaN", "Infinity", "-Infinity", "undefined", "01", "-01",
            "00", "+1",
            ".5", "1.", "1.e1", "-", "--1", "1e", "1e+", "1e-", "1ee1", "1.2.3", "0x10", "1_000", "1,", ",1", "1 2",
            "\"\\x\"",
            "\"\\u12\"", "\"\\u12G4\"", "\"\\U0041\"", "\"\\'\"", "'a'", "a", "\"a\tb\"", "\"a\nb\"", "\"\u{0}\"",
            "\"\u{1F}\"",
            "[1,]", "[,1]", "[,]", "[1 2]", "[1,,2]", "[1}", "{1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}",
            "{'a':1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1]", "{\"a\"::1}", "{:1}", "{\"a\",1}", "{null:1}",
            "]", "}", ":",
            "[1]]", "{}}", "{} {}", "1//x", "/*x*/1", "\u{FEFF}1", "\u{A0}1", "1\u{C}", "\u{B}1", "\u{0}", "1\u{0}",
        ]
    )
    func refused(text: String) {
        #expect(SoleValue.fault(in: text) != nil)
    }

    @Test(
        "A refusal says what is wrong and at which byte",
        arguments: [
            ("", JSONError.Fault.unexpectedEnd, 0),
            ("  ", .unexpectedEnd, 2),
            ("[1, x]", .unexpectedByte(UInt8(ascii: "x")), 4),
            ("1 2", .trailingBytes, 2),
            ("\"ü\u{1}\"", .unexpectedByte(1), 3),
            ("{\"a\":tru}", .unexpectedByte(UInt8(ascii: "}")), 8),
        ]
    )
    func place(text: String, fault: JSONError.Fault, offset: Int) {
        let error = SoleValue.fault(in: text)
        expect(error?.fault == fault)
        expect(error?.offset == offset)
    }

    @Test("A fault is a sentence for people, with a byte that cannot be shown as its number")
    func descriptions() {
        expect(SoleValue.fault(in: "x").map(String.init) == "unexpected 'x' at byte 0 of the JSON")
        expect(SoleValue.fault(in: "\u{1}").map(String.init) == "unexpected byte 0x1 at byte 0 of the JSON")
        expect(SoleValue.fault(in: "[").map(String.init) == "the JSON ends too early, after 1 bytes")
        expect(SoleValue.fault(in: "1 1").map(String.init) == "something follows the JSON value at byte 2")
        expect(SoleValue.fault(in: [0x22, 0xFF]).map(String.init) == "the JSON is not UTF-8 at byte 1")
    }

    @Test("A text cut short is refused, wherever it is cut", arguments: Self.valid.filter { Self.endsItself($0) })
    func truncated(text: String) {
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            #expect(SoleValue.fault(in: Array(bytes[..<count])) != nil, "cut after \(count) bytes")
        }
    }

    @Test("The range of a value leaves out the white space around it and nothing else")
    func range() throws {
        let bytes = Array(" \n{ \"a\" : 1 }\t".utf8)
        expect(try JSONScanner.soleValue(in: bytes.span) == 2..<13)
    }

    @Test("Containers may be nested 64 deep, and a value inside a message 63", arguments: ["[", "{\"a\":"])
    func depth(opening: String) {
        func nested(_ count: Int) -> [UInt8] {
            let closing = opening == "[" ? "]" : "}"
            let middle = opening == "[" ? "" : "0"
            return Array(
                (String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)).utf8
            )
        }
        for count in [1, 62, 63, 64] { expect(SoleValue.fault(in: nested(count)) == nil, "\(count) deep") }
        expect(SoleValue.fault(in: nested(65))?.fault == .tooDeep)
        expect(SoleValue.fault(in: nested(63), maximumDepth: JSONText.maximumDepth) == nil)
        expect(SoleValue.fault(in: nested(64), maximumDepth: JSONText.maximumDepth)?.fault == .tooDeep)
        expect(SoleValue.fault(in: nested(1_000_000))?.fault == .tooDeep)
    }

    @Test("Objects and arrays that alternate to the deepest level close in their own order")
    func alternating() {
        let text = String(repeating: "[{\"a\":", count: 32) + "1" + String(repeating: "}]", count: 32)
        expect(SoleValue.fault(in: text) == nil)
        let crossed = String(repeating: "[{\"a\":", count: 32) + "1" + String(repeating: "]}", count: 32)
        expect(SoleValue.fault(in: crossed)?.fault == .unexpectedByte(UInt8(ascii: "]")))
    }

    @Test("Siblings do not add to the depth")
    func siblings() {
        let text = "[" + Array(repeating: "[{}]", count: 1_000).joined(separator: ",") + "]"
        expect(SoleValue.fault(in: text) == nil)
    }

    /// Whether the text closes what it opens, so that no shorter text is complete.
    private static func endsItself(_ text: String) -> Bool {
        ["}", "]", "\"", "e", "l"].contains(text.last)
    }
}

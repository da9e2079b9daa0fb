import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct OutputTests {
    @Test("Members of a record stand in their order, and what is not there is left out")
    func members() {
        var line = Record()
        line.add("event", .string("a\"b"))
        line.add("rev", Revision(7))
        line.add("cause", nil as Revision?)
        line.add("value", .null)
        line.add("error", WireError(code: "c", message: "m"))
        expect(line.json == #"{"event":"a\"b","rev":7,"value":null,"error":{"code":"c","message":"m"}}"#)
    }

    @Test("Signs that nobody sees become spaces, and those that join letters stay")
    func visible() {
        expect("a\u{202E}b\u{200B}c\u{2028}d".visible == "a b c d")
        expect("é 👩\u{200D}🚀 plain".visible == "é 👩\u{200D}🚀 plain")
        expect("\u{A0}\n\t".visible == "\u{A0}\n\t")
    }

    @Test("A control character is an escape of JSON at a terminal, whatever stands behind it")
    func controls() {
        expect(#"{"a":"\#u{9B}2J\#u{7F}\#u{85}"}"#.visible == #"{"a":"\u009b2J\u007f\u0085"}"#)
        expect("\u{1B}\u{301}\r\n".visible == "\\u001b\u{301}\\u000d\n")
        let failure = CommandFailure(.other, code: "c\u{9B}", "m")
        expect(failure.text(as: .json) == "{\"error\":{\"code\":\"c\\u009b\",\"message\":\"m\"}}\n")
    }

    @Test(
        "A raw string that could pass for other fields or lines stays JSON, except as the whole result",
        arguments: ["a\nb\t1", "a\tb", "a\rb", "a\u{85}b", "a\u{2028}b"]
    )
    func raw(text: String) {
        let raw = ResultFormat(format: .text, template: nil, isRaw: true)
        expect(raw.text(of: .string(text)) == JSONText.string(text).text)
        expect(raw.wholeText(of: .string(text)) == text)
        expect(raw.text(of: .string("a b\"é")) == "a b\"é")
    }

    @Test("White space between the parts of a value is no field of a line")
    func tabs() throws {
        let plain = ResultFormat(format: .text, template: nil, isRaw: false)
        expect(plain.text(of: try JSONText("[1,\t\n2]")) == "[1,  2]")
    }

    @Test(
        "YAML has the value of the JSON",
        arguments: [
            (#"{"a":[1,-0.5,true,null,"x"]}"#, #"{"a":[1,-0.5,true,null,"x"]}"#),
            (#""\ud83d\ude00""#, "\"😀\""), (#""\/\u0041\b""#, #""/A\u0008""#), (#""\"\\\n\t""#, #""\"\\\n\t""#),
            ("\"\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFF}\"", #""\u007f\u0085\u2028\ufeff\uffff""#), ("1e3", "1.0e+3"),
            ("[1E5,-2.5e-3,1.5E+2,12e0]", "[1.0e+5,-2.5e-3,1.5e+2,12.0e+0]"), ("[1,\t2\n]", "[1, 2 ]"),
            (#"{"e1":"1e3"}"#, #"{"e1":"1e3"}"#),
        ]
    )
    func yaml(json: String, yaml: String) throws {
        expect(try JSONText(json).yaml == yaml)
    }

    @Test("A key that is longer than YAML looks ahead has a mark")
    func longKeys() throws {
        let key = String(repeating: "k", count: 1025)
        expect(try JSONText("{\"\(key)\" :1}").yaml == "{? \"\(key)\"  :1}")
        expect(try JSONText("\"\(key)\"").yaml == "\"\(key)\"")
    }

    @Test(
        "A text is cut to a number of bytes between two scalars",
        arguments: [("abc", 3, "abc"), ("abcd", 3, "abc"), ("aé", 2, "a"), ("🚀", 3, ""), ("", 0, "")]
    )
    func cut(text: String, count: Int, cut: String) {
        expect(text.cut(toBytes: count) == cut)
    }

    @Test("An empty record is an empty object")
    func empty() {
        expect(Record().json == "{}")
    }

    @Test(
        "A channel's state is shown with its error",
        arguments: [
            (.open, #"{"state":"open"}"#), (.completed, #"{"state":"completed"}"#),
            (
                .failed(WireError(code: "c", message: "", data: .null)),
                #"{"state":"failed","error":{"code":"c","message":"","data":null}}"#
            ),
        ] as [(ChannelState, String)]
    )
    func states(state: ChannelState, text: String) {
        var line = Record()
        line.add(state)
        expect(line.json == text)
    }

    @Test("A record keeps the deepest value, in an object and in an array")
    func deepest() throws {
        let depth = JSONText.maximumDepth
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var inner = Record()
        inner.add("value", try JSONText(deep))
        var line = Record()
        line.add("error") { $0.add("data", try? JSONText(deep)) }
        line.add("top", array: [inner])
        expect(line.json == #"{"error":{"data":\#(deep)},"top":[{"value":\#(deep)}]}"#)
    }

    @Test("A number without a JSON form is left out", arguments: [Double.infinity, .nan])
    func noNumber(number: Double) {
        var line = Record()
        line.add("rate", number)
        expect(line.json == "{}")
    }
}

import ArgumentParser
import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct ValueTests {
    @Test(
        "A text that is JSON is taken as JSON, and anything else as a string",
        arguments: [
            ("42", "42"), ("-5", "-5"), ("\"a\"", "\"a\""), ("null", "null"), (" [1,\n2] ", "[1,\n2]"),
            ("Quiet hour", "\"Quiet hour\""), ("", "\"\""), ("1.", "\"1.\""), ("NaN", "\"NaN\""),
            ("a {b}", "\"a {b}\""),
        ]
    )
    func written(text: String, value: String) throws {
        expect(try ValueOptions.parse([]).value(text).text == value)
    }

    @Test(
        "Where a string is wanted, JSON is one too",
        arguments: [("42", "\"42\""), ("\"a\"", "\"\\\"a\\\"\""), ("{", "\"{\"")]
    )
    func string(text: String, value: String) throws {
        expect(try ValueOptions.parse(["--string"]).value(text).text == value)
    }

    @Test(
        "A text that begins like JSON and is none was hardly meant as a string",
        arguments: ["{a:1}", " [1,]", "[", "\u{FEFF}{\"a\":1}", "\u{FEFF}5"]
    )
    func broken(text: String) {
        #expect(throws: ValueFault.self) { try ValueOptions.parse([]).value(text) }
    }

    @Test("A value that is nested too deep for the protocol is none")
    func deep() {
        let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: ValueFault.self) { try ValueOptions.parse([]).value(text) }
    }

    @Test("With --json only JSON is a value", arguments: ["on", "", "{a:1}"])
    func strict(text: String) {
        #expect(throws: ValueFault.self) { try ValueOptions.parse(["--json"]).value(text) }
    }

    @Test("A value on several lines is shown on one, and other bytes stay")
    func oneLine() throws {
        expect(try JSONText("[1,\r\n\t2]").onOneLine == "[1,   2]")
        expect(try JSONText("\"é\\n\"").onOneLine == "\"é\\n\"")
    }

    @Test("A message from outside stays on its line")
    func message() {
        expect("a\nb\u{1B}[2Jc".onOneLine == "a b [2Jc")
    }

    @Test(
        "A number below zero is a value and no option",
        arguments: [
            (["set", "a", "-5"], ["set", "a", "--", "-5"]),
            (["set", "a", "-5", "--no-sync"], ["set", "a", "--no-sync", "--", "-5"]),
            (["set", "a", "--", "-5"], ["set", "a", "--", "-5"]),
            (["set", "a", "-"], ["set", "a", "-"]),
            (["wait", "a", "-5"], ["wait", "a", "--", "-5"]),
            (["bind", "a", "-1"], ["bind", "a", "-1"]),
            ([], []),
        ]
    )
    func negativeNumbers(arguments: [String], arranged: [String]) throws {
        let words = try CommandWords.arranged(
            arguments,
            subcommands: Racctl.subcommandNames,
            options: Racctl.options
        )
        expect(words == arranged)
    }
}

import Expectations
import Testing

@testable import RacConfiguration

/// The rules of TOML 1.0.
@Suite struct TOMLParserTests {
    /// The values of a text in one line, with sorted keys.
    private static func shown(_ text: String) throws(ConfigurationFault) -> String {
        self.shown(.table(try TOMLParser.read(text).items))
    }

    private static func shown(_ item: TOMLItem) -> String {
        switch item {
        case .string(let text): "\(text.debugDescription)"
        case .integer(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .time(let time): "@\(time)"
        case .array(let items): "[\(items.map(self.shown).joined(separator: " "))]"
        case .table(let items):
            "{\(items.sorted { $0.key < $1.key }.map { "\($0.key):\(self.shown($0.value))" }.joined(separator: " "))}"
        case .other(let name): "<\(name)>"
        }
    }

    @Test(
        "A value is read as it is written",
        arguments: [
            ("1", "1"), ("-0", "0"), ("+1_000", "1000"), ("0xdead_BEEF", "3735928559"), ("0o17", "15"), ("0b101", "5"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
            ("true", "true"), ("false", "false"), ("1.5", "<a number with a point>"),
            ("1e3", "<a number with a point>"),
            ("-inf", "<a number with a point>"), ("nan", "<a number with a point>"),
            ("2027-01-31T12:00:00+01:00", "@1801393200000"), ("2027-01-31 11:00:00.1259Z", "@1801393200125"),
            ("2027-01-31t11:00:00z", "@1801393200000"), ("2024-02-29", "@1709164800000"), ("1969-12-31", "@-86400000"),
            ("2027-01-31T12:00:00", "<a time without an offset>"), ("12:00:00.5", "<a time without a date>"),
            (#""a\tb\"\\é\U0001F600""#, #""a\tb\"\\é😀""#), (#"'a\b"'"#, #""a\\b\"""#), (#""""#, #""""#),
            ("\"\"\"\na\\\n\n  b\"\"c\"\"\"\"\"", #""ab\"\"c\"\"""#), ("'''\r\na\r\n'b'''''", #""a\n\'b\'\'""#),
            ("[]", "[]"), ("[ 1, # x\n \"a\" ,\n [true], ]", #"[1 "a" [true]]"#), ("{}", "{}"),
            ("{ a = 1, b.c = 2, b.d = {} }", "{a:1 b:{c:2 d:{}}}"),
        ]
    )
    func value(text: String, shown: String) throws {
        expect(try Self.shown("v = \(text)") == "{v:\(shown)}")
    }

    @Test(
        "Tables are built from headers and dotted keys",
        arguments: [
            ("", "{}"), ("\u{FEFF}a = 1", "{a:1}"), ("a.b = 1\na . \"c d\" = 2\r\n", "{a:{b:1 c d:2}}"),
            ("[a.b]\nc = 1\n[a]\nd = 2", "{a:{b:{c:1} d:2}}"),
            ("[[a]]\n[[a]]\nb = 1\n[a.c]\n[[a]]", "{a:[{} {b:1 c:{}} {}]}"),
            ("[[a.b]]\nc.d = 1", "{a:{b:[{c:{d:1}}]}}"), ("'' = 1", "{:1}"), ("1 = 2\n-_ = 3", "{-_:3 1:2}"),
            ("a.b = 1\n[a.c]\n", "{a:{b:1 c:{}}}"),
        ]
    )
    func tables(text: String, shown: String) throws {
        expect(try Self.shown(text) == shown)
    }

    @Test(
        "A text that is no TOML is refused with its place",
        arguments: [
            ("a", 1, 2, "a key is followed by =, not by the end of the file"),
            ("a = ", 1, 5, "a value is missing before"),
            ("a = b", 1, 5, "'b' is no value; a string stands in quotes"), ("a = 01", 1, 5, "'01' is no value"),
            ("a = 1__0", 1, 5, "'1__0' is no value"),
            ("a = 9223372036854775808", 1, 5, "'9223372036854775808' is no value"),
            ("a = 2026-02-30", 1, 5, "'2026-02-30' is no value"),
            ("a = 2026-01-02Tx", 1, 5, "'2026-01-02Tx' is no value"),
            ("a = 24:00:00", 1, 5, "'24:00:00' is no value"),
            ("a = 1 b", 1, 7, "the line should end here, and goes on"),
            ("[=]", 1, 2, "a key has letters, digits, _ and -, or stands in quotes; here is '='"),
            ("[é]", 1, 2, "a key has letters, digits"), ("[]", 1, 2, "a key has letters, digits"),
            ("[a]\n[a]", 2, 3, "the key 'a' is defined twice"), ("a = 1\na = 2", 2, 3, "the key 'a' is defined twice"),
            ("a = 1\n[a.b]", 2, 5, "the key 'a' is defined twice"),
            ("[a.b]\n[a]\nb.c = 1", 3, 5, "the key 'b' is defined"),
            ("a = []\n[[a]]", 2, 4, "the key 'a' is defined twice"),
            ("a = {}\na.b = 1", 2, 5, "the key 'a' is defined"),
            ("a.b = 1\n[a]", 2, 3, "the key 'a' is defined twice"),
            ("[[a]]\n[a]", 2, 3, "the key 'a' is defined twice"),
            ("a = {b = 1,}", 1, 12, "a key has letters, digits"),
            ("a = {b = 1\n}", 1, 11, "a table goes on with , or }"),
            ("a = [1 2]", 1, 8, "an array goes on with , or ], not with '2'"),
            ("a = [1", 1, 7, "an array goes on with"),
            ("a = \"é\\q\"", 1, 7, "there is no escape \\ with 'q'"),
            ("a = \"\\ud800\"", 1, 6, "\\u stands before 4 digits"),
            ("a = '\u{7F}'", 1, 6, "a string has a control character"), ("# \u{1}", 1, 3, "a comment has a control"),
            ("a = \"\"\"x\n", 2, 1, "a string does not end"), ("a = 1\rb = 2", 1, 6, "the line should end here"),
            ("\"\"\"a\"\"\" = 1", 1, 3, "a key is followed by =, not by '\"'"),
            ("a = 1\u{0}", 1, 6, "the line should end"),
        ]
    )
    func fault(text: String, line: Int, column: Int, reason: String) {
        let fault = #expect(throws: ConfigurationFault.self) { try TOMLParser.read(text) }
        expect(fault?.line == line)
        expect(
            fault?.message.hasPrefix("this is no TOML, column \(column): \(reason)") == true,
            "\(fault?.message ?? "")"
        )
    }

    @Test("Values nest as deep as the bound, and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            "a = " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try TOMLParser.read(nested(TOMLParser.deepest)) }
        #expect(throws: ConfigurationFault.self) { try TOMLParser.read(nested(TOMLParser.deepest + 1)) }
        #expect(throws: ConfigurationFault.self) { try TOMLParser.read(nested(100_000)) }
    }

    @Test("A key, and the name of a table, has as many parts as the bound, and no more")
    func parts() throws {
        func dotted(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
        #expect(throws: Never.self) { try TOMLParser.read("\(dotted(TOMLParser.deepest)) = 1") }
        for text in ["\(dotted(TOMLParser.deepest + 1)) = 1", "[\(dotted(100_000))]", "\(dotted(100_000)) = 1"] {
            #expect(throws: ConfigurationFault.self) { try TOMLParser.read(text) }
        }
    }
}

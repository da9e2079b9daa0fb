import Logging
import Testing

@testable import RacServer

@Suite struct TextLogHandlerTests {
    private static func event(_ message: Logger.Message, _ metadata: Logger.Metadata?) -> LogEvent {
        LogEvent(
            level: .info,
            message: message,
            metadata: metadata,
            source: "tests",
            file: #fileID,
            function: #function,
            line: #line
        )
    }

    @Test("The message comes before the fields, which stand in the order of their names")
    func order() {
        var handler = TextLogHandler()
        handler[metadataKey: "b"] = "1"
        let event = Self.event("Store opened", ["file": "rac.db", "b": "2", "a": "3"])
        #expect(handler.line(for: event, at: "T") == "T info: Store opened a=3 b=2 file=rac.db\n")
    }

    @Test("No entry shows a token, wherever it stands")
    func tokens() {
        let event = Self.event("a rac_0123456789abcdefghij", ["c": "\"rac_0123456789abcdef-_Z\""])
        #expect(TextLogHandler().line(for: event, at: "T") == "T info: a rac_… c=\"\\\"rac_…\\\"\"\n")
    }

    @Test("An entry is one line without control characters, whatever is in it")
    func oneLine() {
        let event = Self.event("a\nb\u{1B}[2J", ["c": "\r\nd"])
        #expect(TextLogHandler().line(for: event, at: "T") == "T info: a b [2J c=\"\\u{D}\\u{A}d\"\n")
    }

    @Test(
        "A value that is no plain word stands in quotes, so that it is no other field and no other line",
        arguments: [
            ("room/hall", "room/hall"), ("größe", "größe"), ("", #""""#), ("a b", #""a b""#), ("a=b", #""a=b""#),
            (#"say "x" \"#, #""say \"x\" \\""#), ("a\u{2028}b", #""a\u{2028}b""#), ("a\u{202E}b", #""a\u{202E}b""#),
            ("x audit=reload principal=root", #""x audit=reload principal=root""#),
        ]
    )
    func quoted(value: String, shown: String) {
        let event = Self.event("m", ["name": "\(value)"])
        #expect(TextLogHandler().line(for: event, at: "T") == "T info: m name=\(shown)\n")
    }
}

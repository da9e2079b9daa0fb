import Expectations
import Glibc
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
        expect(handler.line(for: event, at: "T") == "T info: Store opened a=3 b=2 file=rac.db\n")
    }

    @Test("A line for the journal begins with its priority, and has no time")
    func journal() {
        let handler = TextLogHandler(reader: .journal)
        expect(handler.line(for: Self.event("m", ["a": "1"]), at: "T") == "<6>info: m a=1\n")
    }

    @Test(
        "Priorities are those of syslog",
        arguments: [
            (Logger.Level.critical, "<2>"), (.error, "<3>"), (.warning, "<4>"), (.notice, "<5>"), (.info, "<6>"),
            (.debug, "<7>"), (.trace, "<7>"),
        ]
    )
    func priority(level: Logger.Level, prefix: String) {
        expect(LogReader.journal.prefix(level) == prefix)
        expect(LogReader.people.prefix(level) == "")
    }

    @Test("The reader is the journal only if its file is that of the output")
    func reader() throws {
        var status = stat()
        expect(fstat(STDERR_FILENO, &status) == 0)
        expect(LogReader(stream: "\(status.st_dev):\(status.st_ino)", of: STDERR_FILENO) == .journal)
        expect(LogReader(stream: "\(status.st_dev):\(status.st_ino + 1)", of: STDERR_FILENO) == .people)
        expect(LogReader(stream: nil, of: STDERR_FILENO) == .people)
        expect(LogReader(stream: "8:1", of: -1) == .people)
    }

    @Test("No entry shows a token, wherever it stands")
    func tokens() {
        let event = Self.event("a rac_0123456789abcdefghij", ["c": "\"rac_0123456789abcdef-_Z\""])
        expect(TextLogHandler().line(for: event, at: "T") == "T info: a rac_… c=\"\\\"rac_…\\\"\"\n")
    }

    @Test("An entry is one line without control characters, whatever is in it")
    func oneLine() {
        let event = Self.event("a\nb\u{1B}[2J\u{9B}", ["c": "\r\nd\u{7F}"])
        expect(TextLogHandler().line(for: event, at: "T") == "T info: a b [2J  c=\"\\u{D}\\u{A}d\\u{7F}\"\n")
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
        expect(TextLogHandler().line(for: event, at: "T") == "T info: m name=\(shown)\n")
    }
}

import Expectations
import Foundation
import Logging
import Testing

@testable import RacServer

@Suite struct JSONLogHandlerTests {
    private var handler = JSONLogHandler(label: "racd")

    @Test("An entry is one JSON object on one line, whatever is in it")
    func oneLine() throws {
        let line = self.handler.line(for: Self.entry("a \"quoted\"\nline \u{1}", ["key \n": "é\r\n\"x\""]))
        #expect(line.hasSuffix("}\n"))
        expect(line.filter(\.isNewline).count == 1)
        let members = try Self.members(of: line)
        expect(members["message"] == "a \"quoted\"\nline \u{1}")
        expect(members["key \n"] == "é\r\n\"x\"")
        expect(members["level"] == "warning")
        expect(members["logger"] == "racd")
    }

    @Test("No entry shows a token, wherever it stands")
    func tokens() throws {
        let line = self.handler.line(for: Self.entry("a rac_0123456789abcdefg", ["c": "\"rac_0123456789abcdef-_Z\""]))
        let members = try Self.members(of: line)
        expect(members["message"] == "a rac_…")
        expect(members["c"] == "\"rac_…\"")
    }

    @Test("Control characters are escaped")
    func controls() throws {
        let line = self.handler.line(for: Self.entry("a\u{9B}2J", ["k\u{7F}": "\u{85}\u{1B}"]))
        #expect(line.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        let members = try Self.members(of: line)
        expect(members["message"] == "a\u{9B}2J")
        expect(members["k\u{7F}"] == "\u{85}\u{1B}")
    }

    @Test("A number is a number, and a text of digits stays a text")
    func numbers() {
        let line = self.handler.line(for: Self.entry("m", ["n": .stringConvertible(12), "name": "12"]))
        #expect(line.hasSuffix(#","n":12,"name":"12"}"# + "\n"))
        let journal = JSONLogHandler(label: "racd", reader: .journal).line(for: Self.entry("m", nil))
        #expect(journal.hasPrefix("<4>{") && journal.hasSuffix("}\n"))
    }

    @Test("The number of dropped lines is a number")
    func dropped() {
        let line = self.handler.line(for: JSONLogHandler.report(ofDropped: 12))
        #expect(line.hasSuffix(#","lines":12}"# + "\n"))
    }

    @Test("The time is UTC in milliseconds")
    func time() throws {
        let time = try #require(try Self.members(of: self.handler.line(for: Self.entry("m", nil)))["time"])
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(abs(try style.parse(time).timeIntervalSinceNow) < 60)
        expect(time.count == "2026-01-01T00:00:00.000Z".count)
    }

    @Test("An entry's metadata wins over the logger's, and hides nothing that every entry has")
    func metadata() throws {
        var handler = self.handler
        handler[metadataKey: "a"] = "logger"
        handler[metadataKey: "b"] = "logger"
        let members = try Self.members(of: handler.line(for: Self.entry("m", ["a": "entry", "message": "other"])))
        expect(members["a"] == "entry")
        expect(members["b"] == "logger")
        expect(members["message"] == "m")
        expect(members["metadata.message"] == "other")
    }

    private static func entry(_ message: Logger.Message, _ metadata: Logger.Metadata?) -> LogEvent {
        LogEvent(
            level: .warning,
            message: message,
            metadata: metadata,
            source: "tests",
            file: #fileID,
            function: #function,
            line: #line
        )
    }

    private static func members(of line: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    }
}

import Expectations
import Foundation
import RacSimulation
import Testing

/// docs/guarantees.md is true: its table has each promise, and the rules, faults and tests in the table exist.
@Suite struct GuaranteesDocumentTests {
    /// A row of the table.
    private struct Row {
        /// The promise's name, as in the heading of its section, in lower case.
        let promise: String
        /// The case of `Rule`; none if the promise is not simulated.
        let rules: [String]
        /// The values of `Sabotage`, and the paths of scripts.
        let faults: [String]
        /// Each is `Target/Suite.function`, or the path of a transcript.
        let tests: [String]

        init(_ line: Substring) throws {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "the row has \(cells.count) cells: \(line)")
            self.promise = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "*"))
            self.rules = Self.names(in: cells[1])
            self.faults = Self.names(in: cells[2])
            self.tests = Self.names(in: cells[3])
        }

        /// The code spans of a cell.
        private static func names(in cell: String) -> [String] {
            cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }
                .map { String($0.element) }
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    private let rows: [Row]
    /// The names of the promises that have a section.
    private let sections: [String]

    init() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/guarantees.md"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        self.rows = try lines.filter { $0.hasPrefix("| **") }.map { try Row($0) }
        self.sections = lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst("### ".count).lowercased() }
    }

    @Test("Every promise has a section and a row, in the same order")
    func sectionsAndRows() {
        expect(self.rows.map(\.promise) == self.sections)
        expect(Set(self.sections).count == self.sections.count)
    }

    @Test("Every promise that the simulator checks has a row, and every row with a rule is checked")
    func complete() {
        let simulated = self.rows.filter { !$0.rules.isEmpty }
        expect(Set(simulated.map(\.promise)) == Set(Rule.allCases.map(\.rawValue)))
        expect(simulated.count == Rule.allCases.count)
        for row in simulated {
            expect(row.rules == Rule(rawValue: row.promise).map { ["\($0)"] }, "the rule of \(row.promise)")
        }
    }

    @Test("Every row names tests, and they exist")
    func tests() throws {
        for row in self.rows {
            #expect(!row.tests.isEmpty, "\(row.promise) names no tests")
            for name in row.tests {
                #expect(try Self.exists(name), "\(row.promise) names \(name), which does not exist")
            }
        }
    }

    @Test("Every row names the mistakes that may break its promise, and scripts that exist")
    func faults() {
        for row in self.rows {
            let rule = Rule(rawValue: row.promise)
            let mistakes = SabotageTests.cases.filter { mistake in rule.map { mistake.breaks.contains($0) } ?? false }
            let named = row.faults.filter { !$0.contains("/") }
            expect(Set(named) == Set(mistakes.map(\.sabotage.rawValue)), "the mistakes of \(row.promise)")
            #expect(rule == nil || !named.isEmpty, "\(row.promise) names no mistake")
            for script in row.faults where script.contains("/") {
                #expect(Self.isFile(script), "\(row.promise) names \(script), which does not exist")
            }
        }
    }

    private static func isFile(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: self.root.appending(path: path).path)
    }

    /// `Target/Suite.function`, or the path of a transcript.
    private static func exists(_ name: String) throws -> Bool {
        if name.hasSuffix(".rac") { return self.isFile(name) }
        let parts = name.split(separator: "/")
        let words = parts.last?.split(separator: ".") ?? []
        guard parts.count == 2, words.count == 2 else { return false }
        let folder = self.root.appending(path: "Tests/\(parts[0])")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return try (files ?? []).filter { $0.pathExtension == "swift" }.contains { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.contains("struct \(words[0])") && text.contains("func \(words[1])(")
        }
    }
}

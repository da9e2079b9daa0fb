import Foundation
import RacSimulation
import Testing

/// docs/guarantees.md is true: what it names is there.
@Suite struct GuaranteesDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The rows of the table: the promise's name, what it says, the tests that show it.
    private let rows: [[String]]
    /// The rows of the first table, which the simulator checks.
    private let simulated: [[String]]

    init() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/guarantees.md"), encoding: .utf8)
        self.rows = Self.rows(of: text[...])
        self.simulated = Self.rows(of: text[..<(text.range(of: "The simulator has no")?.lowerBound ?? text.endIndex)])
    }

    private static func rows(of text: Substring) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| **") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("Every promise that the simulator checks has a row, and every row is checked")
    func complete() {
        let names = self.simulated.map { $0[0].trimmingCharacters(in: CharacterSet(charactersIn: "*")) }
        #expect(Set(names) == Set(Rule.allCases.map(\.rawValue)))
        #expect(names.count == Rule.allCases.count)
    }

    @Test("Every row names tests, and they exist")
    func tests() throws {
        for row in self.rows {
            let named = row[2].split(separator: "`").filter { $0.contains(".") && !$0.contains(" ") }
            #expect(!named.isEmpty, "\(row[0]) names no tests")
            for name in named {
                #expect(try Self.exists(String(name)), "\(row[0]) names \(name), which does not exist")
            }
        }
    }

    /// `Target/Suite.function`, or the path of a transcript.
    private static func exists(_ name: String) throws -> Bool {
        if name.hasSuffix(".rac") {
            return FileManager.default.fileExists(atPath: self.root.appending(path: name).path)
        }
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

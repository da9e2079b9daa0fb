import Foundation
import Testing

@Suite struct DocumentationPageTests {
    @Test(
        "Every example of the documentation stands in a test, line by line",
        arguments: [
            ("Rac", "DocumentationExampleTests.swift"),
            ("ComingFromOtherLibraries", "DocumentationExampleTests.swift"),
            ("MainActor", "../../RacMainActorTests/MainActorGuideTests.swift"),
        ]
    )
    func examples(page: String, file: String) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let root = here.appending(path: "../../..").standardized
        let text = try String(contentsOf: root.appending(path: "Sources/Rac/Rac.docc/\(page).md"), encoding: .utf8)
        let tests = try String(contentsOf: here.appending(path: file).standardized, encoding: .utf8)
        let examples = Self.examples(in: text)
        #expect(!examples.isEmpty)
        let lines = Self.lines(of: tests)
        for example in examples { #expect(lines.contains(example)) }
    }

    /// The code of a page, line by line.
    private static func examples(in page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
            part.components(separatedBy: "```").first.map(self.lines)
        }
    }

    /// The lines of a text without those that are empty, and without the margin: an example stands in a test or outside.
    private static func lines(of text: String) -> String {
        text.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .map { $0 + "\n" }
            .joined()
    }
}

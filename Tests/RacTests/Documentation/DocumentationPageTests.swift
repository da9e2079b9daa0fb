import Foundation
import Testing

@Suite struct DocumentationPageTests {
    @Test(
        "Every example of the documentation stands in a test, line by line",
        arguments: ["Rac", "ComingFromOtherLibraries"]
    )
    func examples(page: String) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let root = here.appending(path: "../../..").standardized
        let text = try String(contentsOf: root.appending(path: "Sources/Rac/Rac.docc/\(page).md"), encoding: .utf8)
        let tests = try String(contentsOf: here.appending(path: "DocumentationExampleTests.swift"), encoding: .utf8)
        let examples = Self.examples(in: text)
        #expect(!examples.isEmpty)
        for example in examples { #expect(tests.contains(example)) }
    }

    /// The code of a page, as far in as the body of a test.
    private static func examples(in page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
            part.components(separatedBy: "```").first?
                .split(separator: "\n")
                .map { "        \($0)\n" }
                .joined()
        }
    }
}

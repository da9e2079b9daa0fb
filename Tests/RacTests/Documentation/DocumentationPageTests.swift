import Foundation
import Testing

@Suite struct DocumentationPageTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// The folders with the examples of the pages: each is built, and its tests run.
    private static let folders = [
        "Tests/RacTests/Documentation", "Tests/RacMainActorTests", "Tests/RacTestKitTests/Guides", "Examples/Volume",
        "Tests/dependent/Tests/DependentTests",
    ]

    /// The pages of the libraries, and the README.
    private static let pages: [String] = {
        let folders = ["Sources/Rac/Rac.docc", "Sources/RacClient/RacClient.docc"]
        return folders.flatMap { folder in Self.files(in: folder, "md").map { "\(folder)/\($0)" } } + ["README.md"]
    }()

    @Test(
        "Every Swift example of the documentation stands in a file that is built, line by line",
        arguments: Self.pages
    )
    func examples(page: String) throws {
        let examples = Self.examples(in: try Self.text(of: page))
        #expect(!examples.isEmpty || page.hasSuffix("Contract.md"))
        let sources = try Self.folders.flatMap { folder in
            try Self.files(in: folder, "swift").map { Self.lines(of: try Self.text(of: "\(folder)/\($0)")) }
        }
        for example in examples {
            #expect(sources.contains { $0.contains(example) }, "no file has these lines:\n\(example)")
        }
    }

    @Test("Every page is found, and is listed on the first page of its module")
    func topics() throws {
        #expect(Self.pages.count > 10)
        for page in Self.pages where page.hasPrefix("Sources/") {
            let parts = page.split(separator: "/")
            let (module, name) = (parts[1], parts[3].dropLast(3))
            guard name != module else { continue }
            #expect(try Self.text(of: "Sources/\(module)/\(module).docc/\(module).md").contains("- <doc:\(name)>"))
        }
    }

    private static func files(in folder: String, _ ending: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: self.root.appending(path: folder).path)) ?? []
        return all.filter { $0.hasSuffix(".\(ending)") }.sorted()
    }

    private static func text(of file: String) throws -> String {
        try String(contentsOf: self.root.appending(path: file), encoding: .utf8)
    }

    /// The Swift code of a page, line by line.
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

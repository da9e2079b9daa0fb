import Foundation
import Testing

/// Comments name the sections of their semantics; each section must exist.
@Suite struct ProtocolReferenceTests {
    @Test("Every section of protocol.md that a comment in Sources names is there")
    func sections() throws {
        let sections = try ProtocolDocument().sections
        let references = try Self.references()
        #expect(references.count > 5)
        for (section, file) in references {
            #expect(sections.contains(section), "\(file) names the section \"\(section)\"")
        }
    }

    /// The sections that comments name, each with a file that names it.
    private static func references() throws -> [String: String] {
        let sources = ProtocolDocument.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var references: [String: String] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /protocol\.md, "([^"\n]+)"(?: and "([^"\n]+)")?/) {
                references[String(match.output.1)] = file.lastPathComponent
                if let second = match.output.2 { references[String(second)] = file.lastPathComponent }
            }
        }
        return references
    }
}

import Foundation
import Testing

/// The inputs in the folder Corpus: the start of fuzzing, and every input that ever found a fault.
@Suite struct CorpusTests {
    @Test("Every input that is kept breaks no promise", arguments: FuzzTarget.allCases)
    func inputs(target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpus/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            do {
                try target.run(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }
}

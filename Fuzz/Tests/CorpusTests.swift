import Foundation
import Testing

/// The inputs in the folder Corpus: the start of fuzzing, and every input that ever found a fault.
@Suite struct CorpusTests {
    @Test("Every input that is kept breaks no promise", arguments: FuzzTarget.allCases)
    func inputs(target: FuzzTarget) throws {
        let files = try Self.files(of: target)
        #expect(!files.isEmpty)
        for file in files {
            do {
                try target.run(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }

    #if TLS
    @Test(
        "A kept input of TLS breaks no promise after a few random changes",
        arguments: [FuzzTarget.tls, .certificates]
    )
    func changedInputs(target: FuzzTarget) throws {
        for file in try Self.files(of: target) {
            let kept = Array(try Data(contentsOf: file))
            for _ in 0..<4 {
                let input = Self.changed(kept)
                do {
                    try target.run(input)
                } catch {
                    Issue.record("\(file.lastPathComponent): \(error), by \(Data(input).base64EncodedString())")
                }
            }
        }
    }
    #endif

    private static func files(of target: FuzzTarget) throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    /// The input with up to four bytes replaced, left out or doubled.
    private static func changed(_ kept: [UInt8]) -> [UInt8] {
        var input = kept
        for _ in 0..<Int.random(in: 1...4) where !input.isEmpty {
            let place = Int.random(in: input.indices)
            switch Int.random(in: 0..<3) {
            case 0: input[place] = .random(in: 0...255)
            case 1: input.remove(at: place)
            default: input.insert(input[place], at: place)
            }
        }
        return input
    }
}

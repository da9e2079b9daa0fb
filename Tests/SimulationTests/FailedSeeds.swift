import Foundation
import Testing

/// Every seed that ever broke a promise, from the file beside this one.
enum FailedSeeds {
    struct Line: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let steps: Int
        let what: String

        var testDescription: String { "\(self.seed), \(self.steps) steps: \(self.what)" }
    }

    /// A line has a seed, a number of steps, and what was wrong.
    static let all: [Line] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "failed-seeds.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let seed = UInt64(words[0]), let steps = Int(words[1]) else { return nil }
            return Line(seed: seed, steps: steps, what: String(words[2]))
        }
    }()
}

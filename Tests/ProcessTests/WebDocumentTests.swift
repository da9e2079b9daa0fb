import Foundation
import Testing

/// The examples of docs/web.md.
@Suite(.timeLimit(.minutes(10))) struct WebDocumentTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../docs/web.md"
    )

    /// The lines to type, each with what the terminal shows then.
    private static func steps() throws -> [(line: String, shown: [String])] {
        let text = try String(contentsOf: Self.document.standardized, encoding: .utf8)
        let blocks = text.split(separator: "```console\n").dropFirst().compactMap { $0.split(separator: "```\n").first }
        return blocks.flatMap { block in
            block.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(into: []) { steps, line in
                if line.hasPrefix("$ ") {
                    steps.append((String(line.dropFirst(2)), []))
                } else if !steps.isEmpty {
                    steps[steps.count - 1].1.append(String(line))
                }
            }
        }
    }

    /// The revisions of the document, from 101 on, and those that the daemon gave in their place.
    private struct Revisions {
        private var word: Regex<Substring> { /\b10\d\b/.wordBoundaryKind(.simple) }
        private var given: [Substring: Substring] = [:]

        /// A line with the daemon's revisions.
        func known(in line: String) -> String { line.replacing(self.word) { self.given[$0.output] ?? $0.output } }

        /// Whether the daemon shows the text; a revision is taken where it comes first.
        mutating func match(_ output: String, _ shown: String) -> Bool {
            var (output, shown) = (output[...], shown[...])
            while let found = shown.firstMatch(of: self.word) {
                let before = shown[..<found.range.lowerBound]
                guard output.hasPrefix(before) else { return false }
                output = output.dropFirst(before.count)
                let digits = output.prefix(while: \.isNumber)
                guard self.given[found.output, default: digits] == digits, !digits.isEmpty else { return false }
                self.given[found.output] = digits
                output = output.dropFirst(digits.count)
                shown = shown[found.range.upperBound...]
            }
            return output == shown
        }
    }

    @Test("The curl commands of the document print on a fresh racd what it shows")
    func typed() async throws {
        let steps = try Self.steps()
        #expect(steps.count { $0.line.hasPrefix("curl") } > 10)
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
            let environment = [
                "RACD_SERVER": daemon.url, "RACD": "http://\(daemon.url.dropFirst("rac://".count))",
                "PATH": "\(racctl):/usr/bin:/bin",
            ]
            var revisions = Revisions()
            for step in steps {
                let isBackground = step.line.hasSuffix(" &")
                let typed = revisions.known(in: step.line)
                let line = isBackground ? "exec \(typed.dropLast(2))" : typed
                let program = try workplace.start("/bin/bash", ["-c", "\(line) 2>&1"], environment: environment)
                if isBackground {
                    try await daemon.waitForHost()
                } else {
                    let output = await program.ended().output.map { $0.replacing("\r", with: "") }
                    let shown = step.shown.joined(separator: "\n")
                    let isShown = revisions.match(output.joined(separator: "\n"), shown)
                    #expect(isShown, "\(step.line): \(output)")
                }
            }
        }
    }
}

import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
    private static let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")

    /// A line of a terminal's session, and what the terminal shows then.
    private struct Step {
        let line: String
        var shown: [String] = []
    }

    private static func session() throws -> [Step] {
        let text = try String(contentsOf: Self.readme.standardized, encoding: .utf8)
        let block = try #require(text.split(separator: "```console\n").dropFirst().first?.split(separator: "```").first)
        return block.split(separator: "\n").reduce(into: []) { steps, line in
            if line.hasPrefix("$ ") {
                steps.append(Step(line: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].shown.append(String(line))
            }
        }
    }

    @Test("The things to type in the README show on a fresh racd what stands there")
    func typed() async throws {
        let steps = try Self.session()
        #expect(steps.count > 15)
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
            let environment = ["RACD_SERVER": daemon.url, "PATH": "\(racctl):/usr/bin:/bin"]
            for step in steps {
                let isBackground = step.line.hasSuffix(" &")
                let line = isBackground ? "exec \(step.line.dropLast(2))" : step.line
                let program = try workplace.start("/bin/bash", ["-c", "\(line) 2>&1"], environment: environment)
                if isBackground {
                    while try await daemon.succeed("commands", "-o", "name").isEmpty {}
                } else {
                    #expect(await program.ended().output == step.shown, "\(step.line)")
                }
            }
        }
    }
}

import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The address of racd in the pages.
    private static let address = "127.0.0.1:7220"

    /// A line of a terminal's session, and what the terminal shows then.
    private struct Step {
        let line: String
        var shown: [String] = []
    }

    /// The steps of all sessions of a page.
    private static func steps(of page: String) throws -> [Step] {
        let text = try String(contentsOf: self.root.appending(path: page), encoding: .utf8)
        let blocks = text.split(separator: "```console\n").dropFirst().compactMap { $0.split(separator: "```").first }
        return blocks.flatMap { $0.split(separator: "\n") }.reduce(into: []) { steps, line in
            if line.hasPrefix("$ ") {
                steps.append(Step(line: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].shown.append(String(line))
            }
        }
    }

    /// A line without the revision in it, which another daemon gives otherwise.
    private static func withoutRevision(_ line: String) -> String {
        line.replacing(/"rev":\d+/, with: #""rev":0"#)
    }

    @Test(
        "The commands of a page print on a fresh racd what the page shows",
        arguments: ["README.md", "docs/racctl.md"]
    )
    func typed(page: String) async throws {
        let steps = try Self.steps(of: page)
        #expect(steps.count >= 10)
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let address = String(daemon.url.dropFirst("rac://".count))
            let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
            let environment = ["RACD_SERVER": daemon.url, "PATH": "\(racctl):/usr/bin:/bin"]
            for step in steps {
                let isBackground = step.line.hasSuffix(" &")
                let typed = step.line.replacing(Self.address, with: address)
                let line = isBackground ? "exec \(typed.dropLast(2))" : typed
                let program = try workplace.start("/bin/bash", ["-c", "\(line) 2>&1"], environment: environment)
                if !isBackground {
                    let output = await program.ended().output.map(Self.withoutRevision)
                    expect(output == step.shown.map(Self.withoutRevision), "\(step.line)")
                }
            }
        }
    }
}

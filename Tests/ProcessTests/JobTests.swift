import Foundation
import RacClient
import Testing

/// racctl as a job of a shell at a terminal.
@Suite(.timeLimit(.minutes(10))) struct JobTests {
    private static func shell(_ workplace: Workplace, _ daemon: Daemon) throws -> Program {
        let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
        let environment = [
            "PATH": "\(racctl):/usr/bin:/bin", "RACD_SERVER": daemon.url, "HOME": workplace.folder.path, "PS1": "",
            "TERM": "dumb",
        ]
        let words = ["-q", "-e", "-c", "/bin/bash --norc --noprofile -i", "/dev/null"]
        return try workplace.start("/usr/bin/script", words, environment: environment, input: .pipe)
    }

    private static func wait(for text: String, in path: String) async throws {
        while (try? String(contentsOfFile: path, encoding: .utf8)) != text {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private static func wait(for value: String, of channel: String, in daemon: Daemon) async throws {
        let name = try ChannelName(channel)
        try await daemon.wait { try await $0.get(name).value?.text == value }
    }

    /// Waits for a line of the terminal that has these parts.
    private static func shown(_ parts: String..., on terminal: Program) async throws {
        while let line = await terminal.output.next() {
            if parts.allSatisfy(line.contains) { return }
        }
        Issue.record("the terminal has not shown \(parts)")
    }

    @Test("A bind in the background goes on printing, and sends what is typed when it is in the foreground")
    func background() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "a")
            let file = workplace.path("out")
            let terminal = try Self.shell(workplace, daemon)
            terminal.type("racctl bind a > \(file) &\n")
            try await daemon.waitForBound("a", 1)
            try await daemon.succeed("set", "a", "1")
            try await Self.wait(for: "1\n", in: file)
            terminal.type("jobs\n")
            try await Self.shown("Running", "racctl bind a", on: terminal)
            terminal.type("fg; echo fore''ground\n")
            try await Self.shown("racctl bind a >", on: terminal)
            terminal.type("2\n")
            try await Self.wait(for: "2", of: "a", in: daemon)
            terminal.type("\u{1A}")
            try await Self.shown("Stopped", on: terminal)
            terminal.type("bg\n")
            try await daemon.succeed("set", "a", "3")
            try await Self.wait(for: "1\n3\n", in: file)
            terminal.type("jobs\n")
            try await Self.shown("Running", "racctl bind a", on: terminal)
            try await daemon.succeed("complete", "a")
            try await daemon.waitForBound("a", 0)
            terminal.type("wait; echo sta''tus $?\n")
            try await Self.shown("status 0", on: terminal)
        }
    }
}

import Expectations
import Foundation
import Testing

/// Signals at all times of racd's life.
@Suite(.timeLimit(.minutes(10))) struct SignalTests {
    private static let words = ["--listen", "127.0.0.1:0", "--memory"]

    /// A racd without a configuration file, which a shell starts after these commands.
    private func racd(_ before: String, in workplace: Workplace) async throws -> Daemon {
        let words = ["-c", "\(before); exec \"$0\" serve \"$@\"", Program.path(of: "racd")] + Self.words
        let program = try workplace.start("/bin/sh", words, environment: ["RACD_CONFIG": ""])
        return try await Daemon(program, in: workplace)
    }

    /// Waits for a text in the log.
    private func expectLine(_ text: String, of daemon: Daemon) async {
        while let line = await daemon.program.errors.next() {
            if line.contains(text) { return }
        }
        Issue.record("no line '\(text)'")
    }

    @Test("A SIGHUP without anything to read is logged, and racd runs on", arguments: [":", "trap '' HUP"])
    func hangup(before: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await self.racd(before, in: workplace)
            daemon.program.signal(SIGHUP)
            await self.expectLine(" notice: there is nothing to read again: ", of: daemon)
            try await daemon.succeed("ping", "-n", "1")
            expect(await daemon.end().status == 0)
        }
    }

    @Test("A SIGHUP right behind the start ends no racd")
    func earlyHangup() async throws {
        try await Workplace.with { workplace in
            let racd = try workplace.racd(Self.words, environment: ["RACD_CONFIG": ""])
            // A racd ignores this signal from its first lines on.
            while !racd.handles(SIGPIPE) { await Task.yield() }
            racd.signal(SIGHUP)
            let daemon = try await Daemon(racd, in: workplace)
            await self.expectLine(" notice: there is nothing to read again: ", of: daemon)
            expect(await daemon.end().status == 0)
        }
    }

    @Test(
        "A signal without a meaning for racd has no effect",
        arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGTTIN, SIGTTOU, SIGXFSZ, SIGPIPE]
    )
    func harmless(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await self.racd(":", in: workplace)
            daemon.program.signal(signal)
            try await daemon.succeed("ping", "-n", "1")
            expect(await daemon.end().status == 0)
        }
    }

    @Test("A SIGINT that the parent has had ignored stays ignored")
    func ignoredInterrupt() async throws {
        try await Workplace.with { workplace in
            let daemon = try await self.racd("trap '' INT", in: workplace)
            daemon.program.signal(SIGINT)
            try await daemon.succeed("ping", "-n", "1")
            expect(await daemon.end().status == 0)
        }
    }

    @Test("A racd without a file ends in order when its terminal closes, unless nohup started it")
    func terminal() async throws {
        for (before, isEnded) in [(":", true), (#"trap "" HUP"#, false)] {
            try await Workplace.with { workplace in
                let log = workplace.path("log")
                let call = "\(before); exec \"\(Program.path(of: "racd"))\" serve \(Self.words.joined(separator: " "))"
                let script = "script -qec '\(call) 2>\(log)' /dev/null"
                let environment = ["RACD_CONFIG": "", "SHELL": "/bin/sh"]
                let terminal = try workplace.start(
                    "/bin/sh",
                    ["-c", "exec \(script)"],
                    environment: environment,
                    input: .pipe
                )
                let line = try #require(await terminal.output.next())
                terminal.signal(SIGKILL)
                let end = isEnded ? "shutting down" : "there is nothing to read again"
                while try !String(contentsOfFile: log, encoding: .utf8).contains(end) {
                    try await Task.sleep(for: .milliseconds(10))
                }
                guard !isEnded else { return }
                let url = try #require(line.firstMatch(of: /rac:\/\/[0-9.:]+/)).output
                let ping = ["--server", "\(url)", "ping", "-n", "1"]
                expect(try await workplace.start(Program.path(of: "racctl"), ping).ended().status == 0)
                let process = try #require(
                    try String(contentsOfFile: log, encoding: .utf8).firstMatch(of: /pid=([0-9]+)/)?.1
                )
                kill(try #require(Int32(process)), SIGTERM)
            }
        }
    }
}

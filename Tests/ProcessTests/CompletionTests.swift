import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    /// A shell's interactive start, without a person's own settings, and its commands before the first line.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var path: String? {
            ["/bin/", "/usr/bin/"].map { $0 + self.rawValue }.first(where: FileManager.default.isExecutableFile)
        }

        var call: String {
            switch self {
            case .bash: "--norc --noprofile -i"
            case .zsh: "-f -i"
            case .fish: "--no-config -i"
            }
        }

        var start: String {
            switch self {
            case .bash: "source <(racctl --generate-completion-script bash)"
            case .zsh: "autoload -U compinit; compinit -u -D; source <(racctl --generate-completion-script zsh)"
            case .fish: "racctl --generate-completion-script fish | source"
            }
        }

        static func isThere(_ shell: Self) -> Bool { shell.path != nil }
    }

    /// The output of a line that is typed at a real prompt, with Tab for `\t`.
    private func printed(
        _ line: String,
        in shell: Shell,
        at daemon: Daemon?,
        _ workplace: Workplace
    ) async throws -> String? {
        let terminal = try workplace.start(
            "/usr/bin/script",
            ["-q", "-e", "-c", "'\(try #require(shell.path))' \(shell.call)", "/dev/null"],
            environment: [
                "PATH": "\(workplace.folder.path):/usr/bin:/bin", "TERM": "dumb", "HOME": workplace.folder.path,
                "RACD_SERVER": daemon?.url ?? "unix:\(workplace.path("nothing"))", "PS1": "", "LANG": "C.UTF-8",
                "LC_ALL": "C.UTF-8",
            ],
            input: .pipe
        )
        let program = workplace.path("racctl")
        if !FileManager.default.fileExists(atPath: program) {
            try FileManager.default.createSymbolicLink(
                atPath: program,
                withDestinationPath: Program.path(of: "racctl")
            )
        }
        terminal.type("\(shell.start)\necho rea''dy\n")
        while let line = await terminal.output.next(), !line.contains("ready") {}
        terminal.type("\(line)\n")
        // A line that is not finished would be waited for without end.
        let patience = Task {
            try await Task.sleep(for: .seconds(60))
            terminal.signal(SIGKILL)
        }
        defer { patience.cancel() }
        var result: String?
        while result == nil, let line = await terminal.output.next() {
            result = line.firstMatch(of: /<<(.*)>>/).map { String($0.1) }
        }
        terminal.signal(SIGHUP)
        return result
    }

    private func check(_ shell: Shell) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let trap = "odd/$(touch x)`touch x`;"
            // Each sign of a shell is one Character with its neighbour here.
            let joined = [
                "p1/\u{D4E};touch x;", "p2/\u{D4E}$(touch x)", "p3/`\u{301}touch x;`", "p4/'\u{301};touch x;'",
                "p5/a!e", "p6/'\u{D4E}'", "p7/a!",
            ]
            let names =
                ["count", "room/Quiet hour", "dev:a:1", trap, "it's", "lärm", "user@host/x", "zebra"] + joined
            for name in names { try await daemon.succeed("set", name, "<<\(name)>>") }
            let file = workplace.path("val.json")
            try Data("\"<<file>>\"".utf8).write(to: URL(filePath: file))
            let contexts = workplace.path(".config/rac/contexts")
            try FileManager.default.createDirectory(atPath: contexts, withIntermediateDirectories: true)
            try Data("server = \(daemon.url)\n".utf8).write(to: URL(filePath: "\(contexts)/lab"))
            let server = "--timeout 60 -s \(daemon.url)"
            let lines = [
                "racctl get --timeout 60 coun\t": "count",
                "racctl \(server) get coun\t": "count",
                "racctl get --timeout=60 --server=\(daemon.url) coun\t": "count",
                "racctl get --timeout 60 --context la\tcoun\t": "count",
                "racctl get \(server) room/Qu\t": "room/Quiet hour",
                "racctl get \(server) \"room/Qu\t": "room/Quiet hour",
                "racctl get \(server) 'room/Qu\t": "room/Quiet hour",
                "racctl get \(server) dev:\t": "dev:a:1",
                "racctl get \(server) odd\t": trap,
                "racctl get \(server) it\t": "it's",
                "racctl get \(server) p1\t": joined[0],
                "racctl get \(server) p2\t": joined[1],
                "racctl get \(server) \"p2\t": joined[1],
                "racctl get \(server) \"p3\t": joined[2],
                "racctl get \(server) 'p4\t": joined[3],
                "racctl get \(server) \"p5\t": joined[4],
                "racctl get \(server) p6\t": joined[5],
                "racctl get \(server) \"p7\t": joined[6],
                "racctl get \(server) user@ho\t": "user@host/x",
                "racctl set \(server) title @\(workplace.path("va"))\t; racctl get \(server) title": "file",
                "racctl txn \(server) zebr\t'\"<''<txn>>\"'; racctl get \(server) zebra": "txn",
                "racctl txn \(server) new=1 --if-rev user@h\t1 2>&1 | grep -o 'set: [^:]*' | sed 's/.*/<''<&>>/'":
                    "set: user@host/x",
            ]
            for (line, result) in lines {
                expect(try await self.printed(line, in: shell, at: daemon, workplace) == result, "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: workplace.path("x")))
        }
    }

    @Test("At a prompt of bash, Tab completes names with the quotes that they need")
    func bash() async throws { try await self.check(.bash) }

    @Test(
        "At a prompt of zsh, Tab completes names with the quotes that they need",
        .enabled(if: Shell.isThere(.zsh), "zsh is not installed, so its completion is not tried")
    )
    func zsh() async throws { try await self.check(.zsh) }

    @Test(
        "At a prompt of fish, Tab completes names with the quotes that they need",
        .enabled(if: Shell.isThere(.fish), "fish is not installed, so its completion is not tried")
    )
    func fish() async throws { try await self.check(.fish) }
}

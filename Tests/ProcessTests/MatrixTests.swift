import Foundation
import Glibc
import Testing

/// Each subcommand in each situation of a shell and of a daemon.
///
/// Cells that are left out:
/// - A daemon that is stopped while a stream runs counts as lost after the silence of protocol.md, section 4. The tests of
///   RacConnection have that silence with a clock of their own.
/// - A daemon that is killed before it answers `ui`, whose request is no frame of the protocol, as that test's relay wants it.
/// - `bench`, which consists of the requests of other rows.
@Suite(.timeLimit(.minutes(10))) struct MatrixTests {
    /// A subcommand on the channels and the command of ``prepare(_:)``.
    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        /// Whether it prints something at once.
        var prints = false
        /// Whether it goes on until it is ended.
        var streams = false
        /// Whether it waits for the next daemon when one is lost, unless `--once` forbids that.
        var resumes = false
        /// Whether it ends when its output is closed, though it has nothing to print.
        var watchesReader = false

        var testDescription: String { self.words }

        /// The words of a run that ends by itself.
        var ending: String { self.streams && !self.words.contains("-n 1") ? "\(self.words) --for 2" : self.words }
    }

    private static let oneShots = [
        Row(words: "get a", prints: true), Row(words: "set s 2"), Row(words: "list", prints: true),
        Row(words: "create new"), Row(words: "complete c"), Row(words: "fail f --code x --message y"),
        Row(words: "reopen r"), Row(words: "delete d"), Row(words: "ping", prints: true),
        Row(words: "wait a 1", prints: true, resumes: true), Row(words: "txn b=1 c2=2"),
        Row(words: "export", prints: true),
        Row(words: "import", prints: true), Row(words: "status", prints: true), Row(words: "who a"),
        Row(words: "incr n", prints: true), Row(words: "toggle t", prints: true),
        Row(words: "ui a", prints: true), Row(words: "commands", prints: true),
        Row(words: "exec square 3", prints: true),
        Row(words: "send a", resumes: true), Row(words: "top -n 1", prints: true, resumes: true),
    ]

    private static let streams = [
        Row(words: "bind a", prints: true, streams: true, watchesReader: true),
        Row(words: "watch **", prints: true, streams: true, watchesReader: true),
        Row(words: "monitor", streams: true, watchesReader: true),
        Row(words: "observe square", prints: true, streams: true, watchesReader: true),
        Row(words: "link l1 l2", streams: true),
        Row(words: "provide other -- cat", streams: true),
    ]

    private static let rows = Self.oneShots + Self.streams

    /// The channels and the command that the rows name.
    private func prepare(_ daemon: Daemon) async throws {
        try await daemon.succeed("txn", "a=1", "c=1", "f=1", "r=1", "d=1", "n=1", "t=true", "l1=1")
        try await daemon.succeed("complete", "r")
        _ = try daemon.start("provide", "square", "--", "sh", "-c", "read x; echo $((x * x))")
        while try await daemon.run("exec", "square", "1").status != 0 {}
    }

    /// Runs a line of bash in which `racctl` and its daemon are known.
    private func shell(_ script: String, _ workplace: Workplace, _ daemon: Daemon) async throws -> Ended {
        let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
        let environment = ["RACD_SERVER": daemon.url, "PATH": "\(racctl):/usr/bin:/bin", "TERM": "xterm"]
        return try await workplace.start("/bin/bash", ["-fc", script], environment: environment).ended()
    }

    private func eachRow(
        _ rows: [Row],
        _ arguments: String...,
        body: (Row, Workplace, Daemon) async throws -> Void
    ) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await self.prepare(daemon)
            for row in rows { try await body(row, workplace, daemon) }
        }
    }

    /// A run of `provide` takes `--for` before its program.
    private func line(_ row: Row, _ options: String = "") -> String {
        let words = row.ending.hasPrefix("provide") ? "provide --for 2 other -- cat" : row.ending
        guard !options.isEmpty, let space = words.firstIndex(of: " ") else { return "racctl \(words) \(options)" }
        return "racctl \(words[..<space]) \(options)\(words[space...])"
    }

    // MARK: The shell

    @Test("In a pipe a command exits with 0, prints data only and says nothing else", arguments: ["", "< /dev/null"])
    func pipe(input: String) async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) \(input)", workplace, daemon)
            #expect(ended.status == 0, "\(row.words): \(ended)")
            #expect(ended.errors.filter { !$0.contains("linked") && !$0.contains("hosting") } == [], "\(row.words)")
            if !row.streams { #expect(ended.output.isEmpty == !row.prints, "\(row.words): \(ended)") }
        }
    }

    @Test("A closed standard input is one without a line")
    func closedInput() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) <&-", workplace, daemon)
            #expect(ended.status == 0, "\(row.words): \(ended)")
        }
    }

    @Test("At a terminal a command does what it does elsewhere, and leaves when it should")
    func terminal() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("script -qec 'set -f; \(self.line(row))' /dev/null", workplace, daemon)
            #expect(ended.status == 0, "\(row.words): \(ended)")
        }
    }

    @Test("On a full disk a command that prints exits with 1 and says so")
    func fullDisk() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) > /dev/full", workplace, daemon)
            guard row.prints else { return #expect(ended.status == 0, "\(row.words): \(ended)") }
            let message = "racctl: cannot write to standard output: No space left on device"
            #expect(ended == Ended(status: 1, output: [], errors: [message]), "\(row.words)")
        }
    }

    @Test("A command whose output nobody reads exits with 0, and says nothing")
    func nobodyReads() async throws {
        try await self.eachRow(Self.oneShots + Self.streams.filter(\.watchesReader)) { row, workplace, daemon in
            let script = "racctl \(row.words) | true; exit ${PIPESTATUS[0]}"
            let ended = try await self.shell(script, workplace, daemon)
            #expect(ended == Ended(status: 0, output: [], errors: []), "\(row.words)")
        }
    }

    // MARK: The daemon

    @Test("A daemon that is stopped: Ctrl-C exits with 130 and says nothing", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        try await self.eachRow(Self.rows) { row, _, daemon in
            daemon.program.signal(SIGSTOP)
            // The time limit of a request must not end the program first, however busy the machine is.
            let words = row.words.split(separator: " ").map(String.init)
            let program = try daemon.start(["--timeout", "600"] + words)
            // Before that a signal ends it as it ends any program.
            while !program.handles(signal) { try await Task.sleep(for: .milliseconds(1)) }
            // The signal comes at any time of its life.
            try await Task.sleep(for: .milliseconds(.random(in: 0...60)))
            program.signal(signal)
            let ended = await program.ended()
            #expect(ended.status == 130, "\(row.words): \(ended)")
            #expect(ended.errors == [], "\(row.words)")
            daemon.program.signal(SIGCONT)
        }
    }

    @Test("A daemon that is stopped: 7 after the time limit, and one line")
    func stopped() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            daemon.program.signal(SIGSTOP)
            let ended = try await self.shell(self.line(row, "--timeout 0.3"), workplace, daemon)
            #expect(ended.status == 7, "\(row.words): \(ended)")
            #expect(ended.errors.count == 1, "\(row.words): \(ended)")
            daemon.program.signal(SIGCONT)
        }
    }

    @Test("A daemon that takes no more connections: 9, and one line")
    func refusing() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off", "--max-connections", "1")
            try await daemon.succeed("set", "a", "1")
            _ = try await daemon.bound("a", "1")
            for row in Self.rows {
                let ended = try await self.shell(self.line(row), workplace, daemon)
                #expect(ended.status == 9, "\(row.words): \(ended)")
                #expect(ended.errors.count == 1, "\(row.words): \(ended)")
            }
        }
    }

    @Test(
        "A daemon that is killed before it answers: 6, and one line; commands that resume go on when it is back",
        arguments: [false, true]
    )
    func killed(restarts: Bool) async throws {
        for row in Self.oneShots where row.words != "ui a" {
            try await Workplace.with { workplace in
                let daemon = try await workplace.daemon()
                try await self.prepare(daemon)
                let export = try await daemon.succeed("export").joined(separator: "\n")
                let relay = try Relay(to: daemon, frames: 1)
                let words = row.words.split(separator: " ").map(String.init)
                let once = row.resumes && !restarts ? ["--once"] : []
                let program = try daemon.start(
                    [words[0], "--server", relay.url] + once + words.dropFirst(),
                    input: row.words == "import" ? .text(export) : .nothing
                )
                while relay.asked == 0, program.isRunning { try await Task.sleep(for: .milliseconds(1)) }
                await daemon.end(SIGKILL)
                if restarts { relay.lead(to: try await workplace.daemon()) }
                let ended = await program.ended()
                #expect(ended.status == (row.resumes && restarts ? 0 : 6), "\(row.words): \(ended)")
                let reasons = ended.errors.filter { $0 != "racctl: connected again" }
                #expect(reasons.count == 1, "\(row.words): \(ended)")
            }
        }
    }

    @Test(
        "A daemon that is killed before it acknowledges lines of send: they go to the next one, and send exits with 0"
    )
    func resumed() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("create", "p", "--paired")
            // The welcome and the answer to the bind come, and no acknowledgement.
            let relay = try Relay(to: daemon, frames: 2)
            let sender = try daemon.start("send", "p", "--leading", "--server", relay.url, input: .text("1\n2\n3\n"))
            while relay.asked < 4, sender.isRunning { try await Task.sleep(for: .milliseconds(1)) }
            await daemon.end(SIGKILL)
            let again = try await workplace.daemon()
            relay.lead(to: again)
            #expect(await sender.ended().status == 0)
            #expect(try await again.succeed("get", "p", "-o", "json").first?.contains(#""value":3"#) == true)
        }
    }

    @Test("A daemon that is killed and started again: a stream reports both and goes on; with --once it exits with 6")
    func restarted() async throws {
        for row in Self.streams {
            try await Workplace.with { workplace in
                let listen = ["--listen", "127.0.0.1:0", "--listen", "unix:\(workplace.path("racd.sock"))"]
                let arguments = listen + ["--data", workplace.path("data")]
                let first = try await Daemon(workplace.racd(arguments), in: workplace)
                try await self.prepare(first)
                let server = ["--server", "unix:\(workplace.path("racd.sock"))"]
                let words = row.words.split(separator: " ").map(String.init)
                let stream = try first.start([words[0]] + server + words.dropFirst())
                let once = try first.start(
                    [words[0], "--once"] + server + words.dropFirst().map { $0 == "other" ? "third" : $0 }
                )
                while try await first.succeed("get", "$sys/connections").first.flatMap({ Int($0) }) ?? 0 < 3 {}
                await first.end(SIGKILL)
                #expect(await once.ended().status == 6, "\(row.words)")
                let second = try await Daemon(workplace.racd(arguments), in: workplace)
                var errors: [String] = []
                while errors.last != "racctl: connected again", let line = await stream.errors.next() {
                    errors.append(line)
                }
                #expect(errors.filter { $0.hasSuffix("; connecting again") }.count == 1, "\(row.words): \(errors)")
                stream.signal(SIGINT)
                #expect(await stream.ended().status == 130, "\(row.words)")
                await second.end()
            }
        }
    }
}

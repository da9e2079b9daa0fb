import Expectations
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
        var ending: String { self.streams && !self.words.contains("-n 1") ? "\(self.words) \(Self.end)" : self.words }

        /// The option that ends a stream, soon but not before it has printed something.
        static let end = "--for 0.5"
    }

    private static let oneShots = [
        Row(words: "get a", prints: true), Row(words: "set s 2"), Row(words: "list", prints: true),
        Row(words: "create new"), Row(words: "complete c"), Row(words: "fail f --code x --message y"),
        Row(words: "reopen r"), Row(words: "delete d"), Row(words: "ping", prints: true),
        Row(words: "wait a 1", prints: true, resumes: true), Row(words: "txn b=1 c2=2"),
        Row(words: "export", prints: true),
        Row(words: "import", prints: true), Row(words: "status", prints: true), Row(words: "who w"),
        Row(words: "incr n", prints: true), Row(words: "toggle t", prints: true),
        Row(words: "ui a", prints: true), Row(words: "commands", prints: true),
        Row(words: "exec square 3", prints: true),
        Row(words: "send a", resumes: true), Row(words: "top -n 1", prints: true, resumes: true),
    ]

    private static let streams = [
        Row(words: "bind a", prints: true, streams: true, watchesReader: true),
        Row(words: "watch **", prints: true, streams: true, watchesReader: true),
        Row(words: "monitor quiet/**", streams: true, watchesReader: true),
        Row(words: "observe square", prints: true, streams: true, watchesReader: true),
        Row(words: "link l1 l2", streams: true),
        Row(words: "provide other -- cat", streams: true),
    ]

    private static let rows = Self.oneShots + Self.streams

    /// The channels and the command that the rows name: none reads a channel that another one writes.
    private func prepare(_ daemon: Daemon) async throws {
        try await daemon.succeed("txn", "a=1", "c=1", "f=1", "r=1", "d=1", "n=1", "t=true", "l1=1", "w=1")
        try await daemon.succeed("complete", "r")
        let provider = try daemon.start("provide", "square", "--", "sh", "-c", "read x; echo $((x * x))")
        expect(await provider.errors.next() == "racctl: hosting square")
    }

    /// Runs a line of bash in which `racctl` and its daemon are known.
    private func shell(_ script: String, _ workplace: Workplace, _ daemon: Daemon) async throws -> Ended {
        let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
        let environment = ["RACD_SERVER": daemon.url, "PATH": "\(racctl):/usr/bin:/bin", "TERM": "xterm"]
        return try await workplace.start("/bin/bash", ["-fc", script], environment: environment).ended()
    }

    /// Tries rows side by side at one daemon, a few at a time.
    private func eachRow(
        _ rows: [Row],
        body: @escaping @Sendable (Row, Workplace, Daemon) async throws -> Void
    ) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await self.prepare(daemon)
            try await Self.sideBySide(rows) { try await body($0, workplace, daemon) }
        }
    }

    private static func sideBySide(_ rows: [Row], body: @escaping @Sendable (Row) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, row) in rows.enumerated() {
                if place >= 4 { try await group.next() }
                group.addTask { try await body(row) }
            }
            try await group.waitForAll()
        }
    }

    /// A run of `provide` takes `--for` before its program.
    private func line(_ row: Row, _ options: String = "") -> String {
        let words = row.ending.hasPrefix("provide") ? "provide \(Row.end) other -- cat" : row.ending
        guard !options.isEmpty, let space = words.firstIndex(of: " ") else { return "racctl \(words) \(options)" }
        return "racctl \(words[..<space]) \(options)\(words[space...])"
    }

    // MARK: The shell

    @Test("In a pipe a command exits with 0, prints data only and says nothing else", arguments: ["", "< /dev/null"])
    func pipe(input: String) async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) \(input)", workplace, daemon)
            expect(ended.status == 0, "\(row.words): \(ended)")
            expect(ended.errors.filter { !$0.contains("linked") && !$0.contains("hosting") } == [], "\(row.words)")
            if !row.streams { expect(ended.output.isEmpty == !row.prints, "\(row.words): \(ended)") }
        }
    }

    @Test("A closed standard input is one without a line")
    func closedInput() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) <&-", workplace, daemon)
            expect(ended.status == 0, "\(row.words): \(ended)")
        }
    }

    @Test("At a terminal a command does what it does elsewhere, and leaves when it should")
    func terminal() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("script -qec 'set -f; \(self.line(row))' /dev/null", workplace, daemon)
            expect(ended.status == 0, "\(row.words): \(ended)")
        }
    }

    @Test("On a full disk a command that prints exits with 1 and says so")
    func fullDisk() async throws {
        try await self.eachRow(Self.rows) { row, workplace, daemon in
            let ended = try await self.shell("\(self.line(row)) > /dev/full", workplace, daemon)
            guard row.prints else { return expect(ended.status == 0, "\(row.words): \(ended)") }
            let message = "racctl: cannot write to standard output: No space left on device"
            expect(ended == Ended(status: 1, output: [], errors: [message]), "\(row.words)")
        }
    }

    @Test("A command whose output nobody reads exits with 0, and says nothing")
    func nobodyReads() async throws {
        try await self.eachRow(Self.oneShots + Self.streams.filter(\.watchesReader)) { row, workplace, daemon in
            let script = "racctl \(row.words) | true; exit ${PIPESTATUS[0]}"
            let ended = try await self.shell(script, workplace, daemon)
            expect(ended == Ended(status: 0, output: [], errors: []), "\(row.words)")
        }
    }

    // MARK: The daemon

    @Test("A daemon that is stopped: Ctrl-C exits with 130 and says nothing", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        try await self.atStoppedDaemon { row, _, daemon in
            // The time limit of a request must not end the program first, however busy the machine is.
            let program = try daemon.start(Self.words(row, "--timeout", "600"))
            // Before that a signal ends it as it ends any program.
            while !program.handles(signal) { try await Task.sleep(for: .milliseconds(1)) }
            // The signal comes at any time of its life.
            try await Task.sleep(for: .milliseconds(.random(in: 0...60)))
            program.signal(signal)
            let ended = await program.ended()
            expect(ended.status == 130, "\(row.words): \(ended)")
            expect(ended.errors == [], "\(row.words)")
        }
    }

    @Test("A daemon that is stopped: 7 after the time limit, and one line")
    func stopped() async throws {
        try await self.atStoppedDaemon { row, workplace, daemon in
            let ended = try await self.shell(self.line(row, "--timeout 0.3"), workplace, daemon)
            expect(ended.status == 7, "\(row.words): \(ended)")
            expect(ended.errors.count == 1, "\(row.words): \(ended)")
        }
    }

    private func atStoppedDaemon(
        body: @escaping @Sendable (Row, Workplace, Daemon) async throws -> Void
    ) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            daemon.program.signal(SIGSTOP)
            try await Self.sideBySide(Self.rows) { try await body($0, workplace, daemon) }
        }
    }

    /// The words of a row, with options behind the subcommand.
    private static func words(_ row: Row, _ options: String...) -> [String] {
        let words = row.words.split(separator: " ").map(String.init)
        return [words[0]] + options + words.dropFirst()
    }

    @Test("A daemon that takes no more connections: 9, and one line")
    func refusing() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off", "--max-connections", "1")
            try await daemon.succeed("set", "a", "1")
            _ = try await daemon.bound("a", "1")
            try await Self.sideBySide(Self.rows) { row in
                let ended = try await self.shell(self.line(row), workplace, daemon)
                expect(ended.status == 9, "\(row.words): \(ended)")
                expect(ended.errors.count == 1, "\(row.words): \(ended)")
            }
        }
    }

    @Test(
        "A daemon that is killed before it answers: 6, and one line; commands that resume go on when it is back",
        arguments: [false, true]
    )
    func killed(restarts: Bool) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await self.prepare(daemon)
            let export = try await daemon.succeed("export").joined(separator: "\n")
            let runs = try Self.oneShots.filter { $0.words != "ui a" }.map { row in
                let relay = try Relay(to: daemon, frames: 1)
                var words = Self.words(row, "--timeout", "600", "--server", relay.url)
                if row.resumes, !restarts { words.insert("--once", at: 1) }
                let input = row.words == "import" ? Input.text(export) : .nothing
                return (row: row, relay: relay, program: try daemon.start(words, input: input))
            }
            for run in runs {
                while run.relay.asked == 0, run.program.isRunning { try await Task.sleep(for: .milliseconds(1)) }
            }
            await daemon.end(SIGKILL)
            if restarts {
                let again = try await workplace.daemon()
                for run in runs { run.relay.lead(to: again) }
            }
            for run in runs {
                let ended = await run.program.ended()
                expect(ended.status == (run.row.resumes && restarts ? 0 : 6), "\(run.row.words): \(ended)")
                let reasons = ended.errors.filter { $0 != "racctl: connected again" }
                expect(reasons.count == 1, "\(run.row.words): \(ended)")
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
            expect(await sender.ended().status == 0)
            expect(try await again.succeed("get", "p", "-o", "json").first?.contains(#""value":3"#) == true)
        }
    }

    @Test("A daemon that is killed and started again: a stream reports both and goes on; with --once it exits with 6")
    func restarted() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("racd.sock"))"
            let arguments = ["--listen", "127.0.0.1:0", "--listen", socket, "--data", workplace.path("data")]
            let first = try await Daemon(workplace.racd(arguments), in: workplace)
            try await self.prepare(first)
            let runs = try Self.streams.map { row in
                let words = Self.words(row, "--once", "--server", socket).map { $0 == "other" ? "third" : $0 }
                let stream = try first.start(Self.words(row, "--server", socket))
                return (row: row, stream: stream, once: try first.start(words))
            }
            // The provider, and the program that waits, are two more.
            try await first.succeed("wait", "$sys/connections", ">= \(2 * runs.count + 2)", "--timeout", "600")
            await first.end(SIGKILL)
            for run in runs { expect(await run.once.ended().status == 6, "\(run.row.words)") }
            _ = try await Daemon(workplace.racd(arguments), in: workplace)
            for run in runs {
                var errors: [String] = []
                while errors.last != "racctl: connected again", let line = await run.stream.errors.next() {
                    errors.append(line)
                }
                expect(errors.filter { $0.hasSuffix("; connecting again") }.count == 1, "\(run.row.words): \(errors)")
                run.stream.signal(SIGINT)
                expect(await run.stream.ended().status == 130, "\(run.row.words)")
            }
        }
    }
}

import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct DaemonTests {
    /// A daemon that cannot start says so in one line, the last after those of the log.
    private func expectFailure(_ program: Program, _ status: Int32 = 1, saying text: String) async {
        let ended = await program.ended()
        expect(ended.status == status)
        expect(ended.output == [])
        let said = ended.errors.filter { $0.hasPrefix("racd: ") }
        expect(said.count == 1, "\(ended.errors)")
        expect(said.last == ended.errors.last, "\(ended.errors)")
        expect(said.last?.contains(text) == true, "\(ended.errors)")
    }

    @Test("The ready line names the address and the data folder, and a Unix-domain socket serves as well")
    func ready() async throws {
        try await Workplace.with { workplace in
            let socket = workplace.path("racd.sock")
            let daemon = try await workplace.daemon("--listen", "unix:\(socket)")
            #expect(daemon.line.hasPrefix("racd ready tcp=127.0.0.1:"))
            #expect(daemon.line.contains(" unix=\(socket)"))
            #expect(daemon.line.hasSuffix(" data=\(workplace.path("data"))"))
            try await daemon.succeed("set", "a", "1", "--server", "unix:\(socket)")
            expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }

    @Test("A log that nobody reads keeps neither clients nor the end of racd waiting")
    func unreadLog() async throws {
        try await Workplace.with { workplace in
            let log = workplace.path("log")
            try #require(mkfifo(log, 0o600) == 0)
            let reader = open(log, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            defer { close(reader) }
            let page = [UInt8](repeating: 0x0A, count: 4096)
            while write(reader, page, page.count) > 0 {}
            let command = #"exec "$0" serve --listen 127.0.0.1:0 --memory 2> "$1""#
            let racd = try workplace.start("/bin/sh", ["-c", command, Program.path(of: "racd"), log])
            let daemon = try await Daemon(racd, in: workplace)
            try await daemon.succeed("set", "a", "1")
            expect(await daemon.end().status == 0)
        }
    }

    @Test("Two daemons do not share a data folder: the second one says so, and the first goes on")
    func oneFolder() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let folder = workplace.path("data")
            let second = try workplace.racd(["--listen", "127.0.0.1:0", "--data", folder])
            await self.expectFailure(second, saying: folder)
            try await daemon.succeed("set", "a", "1")
            await daemon.end(SIGKILL)
            let third = try await workplace.daemon()
            expect(try await third.succeed("get", "a") == ["1"])
        }
    }

    @Test("An address that is in use is named")
    func addressInUse() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let address = String(daemon.url.dropFirst("rac://".count))
            let second = try workplace.racd(["--listen", address, "--data", workplace.path("other")])
            await self.expectFailure(second, saying: address)
        }
    }

    @Test("A data folder that cannot be created is named")
    func noFolder() async throws {
        try await Workplace.with { workplace in
            let file = workplace.path("file")
            try Data().write(to: URL(filePath: file))
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--data", "\(file)/data"])
            await self.expectFailure(racd, saying: file)
        }
    }

    @Test("Where the log is JSON, the reason why racd cannot start is JSON")
    func criticalLine() async throws {
        try await Workplace.with { workplace in
            for (name, text) in [("file", ""), ("bad.toml", "log-format = \"json\"\nthreads = \"x\"\n")] {
                try Data(text.utf8).write(to: URL(filePath: workplace.path(name)))
            }
            let none = ["RACD_CONFIG": ""]
            let cases: [(words: [String], environment: [String: String], status: Int32, text: String)] = [
                (["--log-format", "json", "--data", workplace.path("file/data")], none, 1, "cannot be used"),
                (["--log-format=json", "--memory", "--listen", "unix:/nowhere/at/all"], none, 1, "cannot listen on"),
                (["--threads", "0"], ["RACD_LOG_FORMAT": "json"], 2, "--threads takes 1 to 64"),
                (["--config", workplace.path("bad.toml")], [:], 2, "threads: the value is a string"),
            ]
            for (words, environment, status, text) in cases {
                let ended = try await workplace.racd(words, environment: environment).ended()
                expect(ended.status == status)
                let line = try #require(ended.errors.last)
                let members = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                #expect(members["level"] == "critical" && members["logger"] == "racd", "\(line)")
                expect(members["message"]?.contains(text) == true, "\(line)")
            }
        }
    }

    @Test("In the journal of systemd a line begins with its priority, and has no time")
    func journal() async throws {
        try await Workplace.with { workplace in
            // The file of the journal is that of standard error.
            let script =
                "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr); export JOURNAL_STREAM; exec \"$0\" serve \"$@\""
            func racd(_ words: String...) throws -> Program {
                let words = ["-c", script, Program.path(of: "racd"), "--memory"] + words
                return try workplace.start("/bin/sh", words, environment: ["RACD_CONFIG": ""])
            }
            let daemon = try await Daemon(racd("--listen", "127.0.0.1:0"), in: workplace)
            let errors = await daemon.end().errors
            #expect(errors.contains { $0.hasPrefix("<6>info: listening ") })
            #expect(errors.allSatisfy { $0.hasPrefix("<") })
            let failed = try await racd("--listen", "unix:/nowhere/at/all").ended()
            expect(failed.errors.last?.hasPrefix("<2>racd: cannot listen on ") == true, "\(failed.errors)")
        }
    }

    @Test("A damaged database is refused with its path, and stays as it is")
    func damaged() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            await daemon.end()
            let file = workplace.folder.appending(path: "data/rac.db")
            let nonsense = Data(repeating: 0x5A, count: 8192)
            try nonsense.write(to: file)
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--data", workplace.path("data")])
            await self.expectFailure(racd, saying: file.path)
            expect(try Data(contentsOf: file) == nonsense)
        }
    }

    @Test(
        "Wrong arguments end with 2",
        arguments: [
            ["--nonsense"], ["--listen", "nonsense"], ["--listen", "0.0.0.0:0"], ["--max-frame", "0"],
            ["--max-connections", "x"], ["--threads", "0"], ["--threads", "65"], ["--durability", "none"],
            ["--log-level", "loud"], ["--memory", "--data", "/tmp"],
        ]
    )
    func usage(arguments: [String]) async throws {
        try await Workplace.with { workplace in
            let ended = try await workplace.racd(arguments).ended()
            expect(ended.status == 2)
            expect(ended.output == [])
            expect(ended.errors.count == 1, "\(ended.errors)")
            expect(ended.errors.first?.hasPrefix("racd: ") == true)
        }
    }

    @Test("A daemon exits with 0 at a signal, and its clients hear why", arguments: [SIGTERM, SIGINT])
    func shutdown(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1", "--no-sync")
            let bound = try await daemon.bound("a", "1", "--once")
            expect(await daemon.end(signal).status == 0)
            expect(
                await bound.ended()
                    == Ended(status: 6, output: ["1"], errors: ["racctl: the daemon is shutting down"])
            )
            let again = try await workplace.daemon()
            expect(try await again.succeed("get", "a") == ["1"])
        }
    }

    @Test("A Unix socket has the mode and the group that it is given, and invalid ones are refused")
    func socketRights() async throws {
        try await Workplace.with { workplace in
            let socket = workplace.path("racd.sock")
            let group = "\(getgid())"
            let rights = ["--socket-mode", "0660", "--socket-group", group]
            let listen = ["--listen", "127.0.0.1:0", "--listen", "unix:\(socket)", "--memory"]
            let daemon = try await Daemon(workplace.racd(listen + rights), in: workplace)
            var status = stat()
            expect(stat(socket, &status) == 0)
            expect(status.st_mode & 0o777 == 0o660)
            expect(status.st_gid == getgid())
            try await daemon.succeed("set", "a", "1", "--server", "unix:\(socket)")
            for wrong in [["--socket-mode", "0999"], ["--socket-mode", "1777"], ["--socket-group", "no such group"]] {
                let refused = try await workplace.racd(listen + wrong).ended()
                expect(refused.status == 2)
                expect(refused.errors.count == 1)
            }
        }
    }

    @Test("A short limit of open files leaves room for clients beside racd's own files, which a flood does not take")
    func fewFiles() async throws {
        try await Workplace.with { workplace in
            let words = ["serve", "--listen", "127.0.0.1:0", "--data", workplace.path("data")]
            let limited = ["-c", "ulimit -n 64 && exec \"$0\" \"$@\"", Program.path(of: "racd")] + words
            let daemon = try await Daemon(try workplace.start("/bin/bash", limited), in: workplace)
            let line = try #require(await daemon.program.errors.next())
            let found = try #require(line.firstMatch(of: /leaves room for fewer connections connections=(\d+)/))
            let places = try #require(Int(found.output.1))
            #expect(places >= 24)
            var bound: [Program] = []
            try await daemon.succeed("set", "a", "1")
            for _ in 0..<places { bound.append(try await daemon.bound("a", "1")) }
            expect(try await daemon.run("get", "a").status == 9)
            for program in bound { program.signal(SIGTERM) }
            for program in bound { _ = await program.ended() }
            expect(await daemon.end().status == 0)
        }
    }

    @Test("The log says where racd listens, which connection it ends and why, and with debug who comes and goes")
    func logs() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--log-level", "debug", "--max-connections", "1")
            try await daemon.succeed("set", "a", "1")
            _ = try await daemon.bound("a", "1")
            for _ in 0..<2 { expect(try await daemon.run("get", "a").status == 9) }
            let ended = await daemon.end()
            let lines = ended.errors
            #expect(
                lines.contains { $0.contains(" info: listening addresses=127.0.0.1:") && $0.contains("version=racd/") }
            )
            #expect(lines.contains { $0.contains(" debug: welcomed agent=racctl/") && $0.hasSuffix(" principal=-") })
            expect(lines.filter { $0.contains(" warning: a connection was ended code=limit ") }.count == 1)
            #expect(lines.contains { $0.contains(" debug: a connection was ended code=limit ") })
            #expect(lines.contains { $0.contains(" debug: disconnected connection=") && $0.hasSuffix(" reason=bye") })
        }
    }

    @Test("With --memory nothing is kept")
    func memory() async throws {
        try await Workplace.with { workplace in
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--memory"])
            let daemon = try await Daemon(racd, in: workplace)
            #expect(daemon.line.hasSuffix(" data=memory"))
            try await daemon.succeed("set", "a", "1")
            await daemon.end()
            let again = try await Daemon(workplace.racd(["--listen", "127.0.0.1:0", "--memory"]), in: workplace)
            expect(try await again.run("get", "a").status == 3)
        }
    }

    @Test("A folder of the page that is not there is refused with its path")
    func missingConsole() async throws {
        try await Workplace.with { workplace in
            let folder = workplace.path("none")
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--memory", "--console", folder])
            await self.expectFailure(racd, 2, saying: "option --console: there is no folder \(folder)")
        }
    }

    @Test("A socket whose path is too long for the system is refused with the limit")
    func longPath() async throws {
        try await Workplace.with { workplace in
            let path = workplace.path(String(repeating: "s", count: 108))
            let racd = try workplace.racd(["--listen", "unix:\(path)", "--memory"])
            await self.expectFailure(racd, saying: "the socket path is too long (at most 107 bytes)")
        }
    }
}

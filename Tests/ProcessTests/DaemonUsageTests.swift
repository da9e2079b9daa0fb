import Expectations
import Foundation
import Testing

/// The command line of racd: usage errors, help, variables, and output that cannot be written.
@Suite(.timeLimit(.minutes(10))) struct DaemonUsageTests {
    private func racd(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Ended {
        var ended = Ended(status: -1, output: [], errors: [])
        try await Workplace.with { workplace in
            ended = try await workplace.start(Program.path(of: "racd"), arguments, environment: environment).ended()
        }
        return ended
    }

    @Test(
        "A usage error names the page that helps",
        arguments: [
            ([], "a subcommand is missing. See racd --help"),
            (["sevre"], "no subcommand 'sevre'. Did you mean 'serve'? See racd --help"),
            (["nonsense"], "no subcommand 'nonsense'. See racd --help"),
            (["help", "bakup"], "no subcommand 'bakup'. Did you mean 'backup'? See racd --help"),
            (["--nonsense"], "Unknown option '--nonsense'. See racd --help"),
            (["serve", "--nonsense"], "Unknown option '--nonsense'. See racd serve --help"),
            (["serve", "--data", ""], "--data is empty. See racd serve --help"),
            (["serve", "--data", "d", "--memory"], "--memory and --data exclude each other. See racd serve --help"),
            (
                ["serve", "--config", "f", "--no-config"],
                "--config and --no-config exclude each other. See racd serve --help"
            ),
            (["serve", "--threads", "0"], "--threads takes 1 to 64. See racd serve --help"),
            (
                ["serve", "--listen", "127.0.0.1:1", "--listen", "0.0.0.0:1", "--insecure"],
                "0.0.0.0:1 and 127.0.0.1:1 have the same port: leave one of them out. See racd serve --help"
            ),
            (["backup"], "Missing expected argument '<file>'. See racd backup --help"),
            (
                ["backup", ""],
                "the file's name is empty: name a file that does not exist yet, or - for standard output. See racd backup --help"
            ),
            (
                ["serve", "--listen", "17231"],
                "The value '17231' is invalid for '--listen <HOST:PORT|tls:HOST:PORT|unix:PATH>': the host is missing: "
                    + "127.0.0.1:17231 is for programs of this machine. See racd serve --help"
            ),
            (
                ["serve", "--listen", ":7220"],
                "The value ':7220' is invalid for '--listen <HOST:PORT|tls:HOST:PORT|unix:PATH>': the host is missing: "
                    + "127.0.0.1:7220 is for programs of this machine. See racd serve --help"
            ),
        ]
    )
    func hint(arguments: [String], message: String) async throws {
        let ended = try await self.racd(arguments)
        expect(ended == Ended(status: 2, output: [], errors: ["racd: \(message)"]))
    }

    @Test(
        "A variable at fault is named",
        arguments: [("RACD_THREADS", "0"), ("RACD_MAX_FRAME", "x"), ("RACD_MEMORY", "?")]
    )
    func wrongVariable(name: String, value: String) async throws {
        let ended = try await self.racd(["serve"], [name: value])
        expect(ended.status == 2)
        expect(ended.errors.count == 1)
        expect(ended.errors.first?.contains(name) == true, "\(ended.errors)")
    }

    @Test("Every page of help fits 80 columns", arguments: [["--help"], ["help", "serve"], ["help", "backup"]])
    func width(arguments: [String]) async throws {
        let ended = try await self.racd(arguments, ["COLUMNS": "80"])
        expect(ended.status == 0)
        expect(ended.output.filter { $0.count > 80 } == [])
        #expect(ended.output.count > 10)
    }

    @Test("Examples in help stand as they were written", arguments: ["serve", "config show", "token create", "backup"])
    func examples(words: String) async throws {
        let arguments = words.split(separator: " ").map(String.init) + ["--help"]
        let narrow = try await self.racd(arguments, ["COLUMNS": "80"]).output
        let examples = try await self.racd(arguments, ["COLUMNS": "1000"]).output.filter {
            $0.hasPrefix("  racd ") || $0.hasPrefix("  RACD_")
        }
        #expect(!examples.isEmpty)
        expect(examples.filter { !narrow.contains($0) } == [])
    }

    @Test("Output that cannot be written ends with 1 and the reason", arguments: ["--help", "--version", "help serve"])
    func full(words: String) async throws {
        try await Workplace.with { workplace in
            let racd = Program.path(of: "racd")
            let ended = try await workplace.start("/bin/sh", ["-c", "\"$0\" \(words) > /dev/full", racd]).ended()
            let reason = "racd: cannot write to standard output: No space left on device"
            expect(ended == Ended(status: 1, output: [], errors: [reason]))
            let closed = try await workplace.start("/bin/sh", ["-c", "\"$0\" \(words) >&-", racd]).ended()
            expect(closed.status == 1)
        }
    }

    @Test("Variables set options, and options of the command line win")
    func variables() async throws {
        try await Workplace.with { workplace in
            let socket = workplace.path("racd.sock")
            let environment = [
                "RACD_LISTEN": "127.0.0.1:0\n  unix:\(socket)\n", "RACD_DATA": workplace.path("data"),
                "RACD_LOG_LEVEL": "error", "RACD_MEMORY": "",
            ]
            let racd = try workplace.racd([], environment: environment)
            let daemon = try await Daemon(racd, in: workplace)
            #expect(daemon.line.contains(" unix=\(socket) "))
            #expect(daemon.line.hasSuffix(" data=\(workplace.path("data"))"))
            expect(await daemon.end().errors == [])
            let other = try workplace.racd(["--listen", "127.0.0.1:0", "--memory"], environment: environment)
            let second = try await Daemon(other, in: workplace)
            #expect(!second.line.contains("unix="))
            #expect(second.line.hasSuffix(" data=memory"))
        }
    }

    @Test("With --no-config the file of a variable does not count")
    func noConfig() async throws {
        try await Workplace.with { workplace in
            let words = ["--no-config", "--memory", "--listen", "127.0.0.1:0"]
            let racd = try workplace.racd(words, environment: ["RACD_CONFIG": workplace.path("none")])
            _ = try await Daemon(racd, in: workplace)
            let without = try await workplace.racd([], environment: ["RACD_CONFIG": workplace.path("none")]).ended()
            expect(without.status == 2)
        }
    }

    @Test("The ready line has the URL that racctl takes, as JSON where logs are JSON")
    func url() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let address = daemon.url.dropFirst("rac://".count)
            let console = "console=http://\(address)/"
            expect(
                daemon.line
                    == "racd ready tcp=\(address) url=\(daemon.url) \(console) data=\(workplace.path("data"))"
            )
            let arguments = ["--listen", "unix:\(workplace.path("s"))", "--memory", "--log-format", "json"]
            let json = try workplace.racd(arguments)
            let line = try #require(await json.output.next())
            let socket = workplace.path("s")
            expect(
                line
                    == #"{"event":"ready","tcp":[],"tls":[],"unix":["\#(socket)"],"urls":["unix:\#(socket)"],"console":null,"data":null}"#
            )
        }
    }

    @Test("The URLs of the ready line have the first name of racd's host, or an address of the machine, for a wildcard")
    func wildcardURL() async throws {
        try await Workplace.with { workplace in
            let words = ["--memory", "--insecure", "--listen", "0.0.0.0:0"]
            for (more, host) in [([], "127.0.0.1"), (["--web-host", "lab.example", "--web-host", "b"], "lab.example")] {
                let racd = try workplace.racd(words + more, environment: ["RACD_CONFIG": ""])
                let line = try #require(await racd.output.next())
                let port = try #require(line.firstMatch(of: #/tcp=0\.0\.0\.0:([0-9]+) /#)).output.1
                #expect(line.contains(" url=rac://\(host):\(port) console=http://\(host):\(port)/ "))
            }
        }
    }

    @Test("A token file that the system does not take is no wrong usage")
    func unwrittenTokenFile() async throws {
        try await Workplace.with { workplace in
            let words = ["token", "create", "kiosk", "--role", "admin", "--token-file", "/proc/tokens"]
            let ended = try await workplace.start(Program.path(of: "racd"), words).ended()
            expect(ended.status == 1)
            expect(ended.output == [])
            expect(ended.errors.first?.hasPrefix("racd: /proc/tokens: the file cannot be written: ") == true)
        }
    }

    @Test("A backup goes to standard output, and RACD_DATA names its folder")
    func backup() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let copy = workplace.folder.appending(path: "copy/rac.db")
            try FileManager.default.createDirectory(
                at: workplace.folder.appending(path: "copy"),
                withIntermediateDirectories: false
            )
            let environment = ["RACD_DATA": workplace.path("data")]
            let command = "\"$0\" backup - > \"$1\""
            let words = ["-c", command, Program.path(of: "racd"), copy.path]
            let ended = try await workplace.start("/bin/sh", words, environment: environment).ended()
            expect(ended == Ended(status: 0, output: [], errors: []))
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--data", workplace.path("copy")])
            expect(try await Daemon(racd, in: workplace).succeed("get", "a") == ["1"])
        }
    }

    @Test("A closed standard file is no socket and no database of racd")
    func closedFiles() async throws {
        try await Workplace.with { workplace in
            let call = "serve --listen 127.0.0.1:0 --data '\(workplace.path("data"))' <&- >&-"
            let script = "echo $$ >&2; exec '\(Program.path(of: "racd"))' \(call)"
            let racd = try workplace.start("/bin/bash", ["-c", script])
            let process = try #require(await racd.errors.next())
            while let line = await racd.errors.next(), !line.contains("the ready line is lost") {}
            for number in 0...1 {
                let file = "/proc/\(process)/fd/\(number)"
                expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == "/dev/null")
            }
        }
    }
}

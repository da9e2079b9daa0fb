import Expectations
import Foundation
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExitCodeTests {
    /// Each subcommand as it is used rightly, on a channel called `a`.
    private static let subcommands = [
        ["bind", "a"], ["set", "a", "1"], ["get", "a"], ["watch", "a"], ["list"], ["create", "a"], ["complete", "a"],
        ["fail", "a", "--code", "c", "--message", "m"], ["reopen", "a"], ["delete", "a"], ["ping"],
        ["wait", "a", "1"], ["txn", "a=1"], ["export"], ["import"], ["status"], ["who", "a"], ["top"],
        ["bench"], ["link", "a", "b"], ["send", "a"], ["monitor"], ["incr", "a"], ["toggle", "a"], ["exec", "a"],
        ["observe", "a"], ["commands"], ["provide", "a", "--", "true"],
    ]

    /// Runs racctl where no daemon is needed.
    private func run(_ arguments: [String], server: String = "rac://127.0.0.1:1") async throws -> Ended {
        try await Program(Program.path(of: "racctl"), arguments, environment: ["RACD_SERVER": server]).ended()
    }

    @Test(
        "A duration that is over before racd has ever answered is no success: 7",
        arguments: [
            ["watch", "a"], ["bind", "a"], ["monitor"], ["observe", "a"], ["top"], ["provide", "a", "--", "cat"],
        ]
    )
    func unanswered(words: [String]) async throws {
        let listener = try SilentListener()
        let ended = try await self.run([words[0], "--for", "0.2"] + words.dropFirst(), server: listener.url)
        expect(ended.status == 7)
        #expect(ended.errors.count == 1 && ended.errors.first?.hasSuffix(" did not answer within 0.2 s") == true)
    }

    @Test("Each subcommand that succeeds ends with 0 and prints data only")
    func done() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            expect(try await daemon.succeed("create", "a", "--value", "[1,\n2]") == [])
            expect(try await daemon.succeed("get", "a") == ["[1, 2]"])
            expect(try await daemon.succeed("set", "a", "-5") == [])
            expect(try await daemon.succeed("set", "a", "-", "--no-sync", input: .text("two words\n")) == [])
            expect(try await daemon.succeed("get", "a") == ["\"two words\""])
            try Data("6\n".utf8).write(to: workplace.folder.appending(path: "value"))
            expect(try await daemon.succeed("set", "a", "@\(workplace.path("value"))", "--string") == [])
            expect(try await daemon.succeed("get", "a") == ["\"6\""])
            expect(try await daemon.succeed("create", "b") == [])
            expect(try await daemon.succeed("get", "b") == [])
            expect(try await daemon.succeed("list").map { $0.split(separator: " ").first } == ["a", "b"])
            expect(try await daemon.succeed("list", "b").count == 1)
            expect(try await daemon.succeed("fail", "a", "--code", "c", "--message", "m") == [])
            expect(try await daemon.succeed("get", "a") == ["\"6\""])
            expect(try await daemon.succeed("reopen", "a") == [])
            expect(try await daemon.succeed("bind", "a", "-n", "1") == ["\"6\""])
            expect(try await daemon.succeed("complete", "a") == [])
            expect(try await daemon.succeed("delete", "a") == [])
            expect(try await daemon.succeed("ping").first?.hasSuffix(" ms") == true)
            expect(try await daemon.succeed("ping", "-o", "json").first?.hasPrefix("{\"ms\":") == true)
        }
    }

    @Test(
        "Help and version end with 0",
        arguments: [["--help"], ["--version"], ["bind", "--help"]]
    )
    func help(words: [String]) async throws {
        let help = try await self.run(words)
        expect(help.status == 0)
        expect(help.output.first?.isEmpty == false)
        expect(help.errors == [])
    }

    @Test(
        "Wrong usage ends with 2 and one line",
        arguments: [[], ["get", "a", "--nonsense"], ["set", "a", "1", "2"]]
    )
    func usage(words: [String]) async throws {
        let ended = try await self.run(words)
        expect(ended.status == 2)
        expect(ended.output == [])
        expect(ended.errors.count == 1)
        expect(ended.errors.first?.hasPrefix("racctl: ") == true)
    }

    @Test("An invalid server URL from the environment is wrong usage, and the error says where it came from")
    func environment() async throws {
        let ended = try await self.run(["get", "a"], server: "http://nonsense")
        expect(ended.status == 2)
        expect(ended.errors.first?.contains("RACD_SERVER") == true)
    }

    @Test("A file that cannot be read ends with 1")
    func other() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let ended = try await daemon.run("set", "a", "@\(workplace.path("nothing"))")
            expect(ended.status == 1)
            expect(ended.errors.count == 1)
            expect(try await daemon.run("get", "a").status == 3)
        }
    }

    @Test("A missing channel ends with 3", arguments: ["get", "complete", "reopen", "delete"])
    func missing(subcommand: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await daemon.run(subcommand, "a")
            expect(ended == Ended(status: 3, output: [], errors: ["racctl: there is no channel a"]))
            let json = try await daemon.run(subcommand, "a", "-o", "json")
            expect(json.status == 3)
            expect(json.errors.first?.hasPrefix(#"{"error":{"code":"no-such-channel","#) == true)
        }
    }

    @Test("A lost race, an existing channel and an ended one: 4")
    func conflict() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1", "--if-rev", "0")
            let conflict = try await daemon.run("set", "a", "2", "--if-rev", "0", "-o", "json")
            expect(conflict.status == 4)
            expect(conflict.errors.first?.hasSuffix(#","value":1}}"#) == true)
            expect(try await daemon.run("create", "a").status == 4)
            try await daemon.succeed("complete", "a")
            expect(try await daemon.run("set", "a", "2").status == 4)
            expect(try await daemon.run("complete", "a").status == 0)
            expect(try await daemon.run("fail", "a", "--code", "c", "--message", "m").status == 4)
            expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }

    @Test("The daemon's own channels are not written: 5", arguments: ["set", "complete", "delete", "create", "reopen"])
    func denied(subcommand: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let arguments = [subcommand, "$sys/version"] + (subcommand == "set" ? ["1"] : [])
            let ended = try await daemon.start(arguments).ended()
            expect(ended.status == 5)
            expect(ended.errors.count == 1)
        }
    }

    @Test("Nobody listens: 6 and what helps", arguments: Self.subcommands)
    func unreachable(arguments: [String]) async throws {
        try await Workplace.with { workplace in
            let nowhere = "unix:\(workplace.path("nothing"))"
            let ended = try await self.run(arguments, server: nowhere)
            expect(ended.status == 6)
            expect(ended.output == [])
            expect(
                ended.errors
                    == ["racctl: cannot reach racd at \(nowhere): No such file or directory: is `racd serve` running?"]
            )
        }
    }

    @Test("The daemon ends: 6, with bye or without", arguments: [SIGTERM, SIGKILL])
    func lost(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let bound = try await daemon.bound("a", "1", "--once")
            let watch = try daemon.start("watch", "a", "--once")
            expect(await watch.output.next() == "a\t1")
            await daemon.end(signal)
            for program in [bound, watch] {
                let ended = await program.ended()
                expect(ended.status == 6)
                expect(ended.errors.count == 1)
            }
        }
    }

    @Test("No answer in time: 7", arguments: Self.subcommands)
    func timedOut(arguments: [String]) async throws {
        let listener = try SilentListener()
        let ended = try await self.run(
            [arguments[0], "--timeout", "0.1"] + arguments.dropFirst(),
            server: listener.url
        )
        expect(ended.status == 7)
        expect(ended.errors.count == 1)
    }

    @Test("Pages of a list that never end count together: 7 after --timeout")
    func endlessPages() async throws {
        let daemon = try EndlessDaemon()
        let ended = try await self.run(["list", "--quiet", "--timeout", "1"], server: daemon.url)
        expect(ended.status == 7)
        expect(ended.errors.count == 1)
    }

    @Test("The time of a bind and a watch is over: 7, with what came until then", arguments: ["bind", "watch"])
    func timeIsOver(subcommand: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let ended = try await daemon.run(subcommand, "a", "--timeout", "2")
            expect(ended.status == 7)
            expect(ended.output == [subcommand == "bind" ? "1" : "a\t1"])
            expect(ended.errors.count == 1)
        }
    }

    @Test("A limit is reached: 9")
    func limit() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--max-frame", "1024")
            let ended = try await daemon.run("set", "a", String(repeating: "x", count: 2000))
            expect(ended.status == 9)
            expect(ended.errors.count == 1)
            expect(try await daemon.run("get", "a").status == 3)
        }
    }

    @Test("Ctrl-C ends with 130 and without a word", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let bound = try await daemon.bound("a", "1", input: .pipe)
            let watch = try daemon.start("watch", "a")
            expect(await watch.output.next() == "a\t1")
            let ping = try daemon.start("ping", "-n", "1000")
            #expect(await ping.output.next() != nil)
            for program in [bound, watch, ping] {
                program.signal(signal)
                let ended = await program.ended()
                expect(ended.status == 130)
                expect(ended.errors == [])
            }
            expect(try await daemon.succeed("list", "a", "-o", "json").first?.hasSuffix("\"bound\":0}") == true)
        }
    }
}

import Expectations
import Foundation
import RacAccess
import RacClient
import Testing

/// racctl and a daemon that knows principals.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    private static let helpForToken =
        "racctl: give a token that it knows: --token-file FILE, RACCTL_TOKEN_FILE, or `racctl context add`"
    private static let helpForRight =
        "racctl: `racd acl test` shows what racd's roles allow; another token or --context makes you another principal"

    /// Each subcommand on channels and a command in `room`, and whether it goes on until it is ended.
    private static let subcommands = [
        "get room/a", "set room/a 1", "list", "create room/new", "complete room/a", "fail room/a --code c --message m",
        "reopen room/a", "delete room/a", "ping", "wait room/a 1", "txn room/a=1", "export", "import", "status",
        "who room/a", "who", "incr room/a", "toggle room/a", "commands", "exec room/x", "send room/a", "bench",
    ]
    private static let streams = [
        "bind room/a", "watch room/*", "monitor", "observe room/x", "link room/a room/b", "provide room/y -- cat",
        "top",
    ]

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    @Test(
        "Without a token, and with a wrong one, every command ends with 5, says why and what helps, and shows no token",
        arguments: [nil, "SeCrEt"]
    )
    func unknown(token: String?) async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            // The daemon lets each of them wait for a second.
            try await withThrowingTaskGroup { group in
                for line in Self.subcommands + Self.streams {
                    group.addTask {
                        let ended = try await daemon.start(self.words(line), as: token).ended()
                        let reason =
                            token == nil
                            ? "racctl: racd at \(daemon.url) does not know this client: it asks for a token"
                            : "racctl: the token is not known, or its time is over"
                        expect(ended == Ended(status: 5, output: [], errors: [reason, Self.helpForToken]), "\(line)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "A request that no rule grants ends with 5, and says who may not do what and what would help",
        arguments: [
            ("get hall/a", "read hall/a"), ("set hall/a 1", "write hall/a"), ("create hall/a", "manage hall/a"),
            ("complete hall/a", "manage hall/a"), ("delete hall/a", "manage hall/a"), ("bind hall/a", "read hall/a"),
            ("bind hall/a --leading", "lead hall/a"), ("wait hall/a exists", "read hall/a"),
            ("txn room/a=1 hall/a=1", "write hall/a"), ("who hall/a", "read hall/a"), ("incr hall/a", "read hall/a"),
            ("exec hall/x", "execute hall/x"), ("observe hall/x", "observe hall/x"),
            ("provide hall/x -- cat", "host hall/x"), ("link room/a hall/a", "read hall/a"),
            ("who", "list the connections: that takes the verb admin"),
        ]
    )
    func forbidden(line: String, act: String) async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let ended = try await daemon.start(self.words(line), as: "kiosk").ended()
            #expect(ended.status == 5 && ended.output == [], "\(ended)")
            expect(ended.errors.first?.contains("kiosk may not \(act)") == true, "\(ended)")
            expect(ended.errors.dropFirst() == [Self.helpForRight], "\(ended)")
        }
    }

    @Test("An import of shared channels takes no right to lead")
    func importWithoutLead() async throws {
        try await ClosedDaemon.with(.tokens(lacking: .lead)) { daemon in
            try await daemon.run("set", "room/a", "1", as: "root")
            let line = #"{"channel":"room/a","value":2}"#
            let ended = try await daemon.run("import", as: "kiosk", input: .text(line))
            expect(ended == Ended(status: 0, output: ["created 0, changed 1, left alone 0"], errors: []))
        }
    }

    @Test("With -o json the reason and the help are members of the error")
    func json() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let ended = try await daemon.run("get", "hall/a", "-o", "json", as: "kiosk")
            #expect(ended.status == 5 && ended.errors.count == 1)
            let start = #"{"error":{"code":"forbidden","message":"kiosk may not read hall/a","help":"`racd acl test`"#
            expect(ended.errors.first?.hasPrefix(start) == true, "\(ended)")
        }
    }

    @Test("bind and send report each line that they may not write, with one line of help, and end with 5")
    func refusedLines() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            try await daemon.run("set", "$nothing", "1", as: "root")
            try await daemon.run("create", "room/read-only", as: "root")
            let policy = try AccessPolicy(
                roles: [AccessRole(name: "r", grants: [.read: [RulePattern("**")]])],
                principals: [
                    Principal(name: PrincipalName("kiosk"), roles: ["r"], tokens: [.init(hash: TokenHash(of: "kiosk"))])
                ]
            )
            try await daemon.restart(policy)
            let ended = try await daemon.run("send", "room/read-only", as: "kiosk", input: .text("1\n2\n"))
            let line = "racctl: kiosk may not write room/read-only"
            expect(ended == Ended(status: 5, output: [], errors: [line, Self.helpForRight, line]))
        }
    }

    @Test("get, list, watch, monitor and templates show the writer, and who shows the principals")
    func writers() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            try await daemon.run("set", "room/a", "1", as: "kiosk")
            let get = try await daemon.run("get", "room/a", "-o", "json", as: "root")
            expect(get.output.first?.hasSuffix(#","by":"kiosk"}"#) == true, "\(get)")
            let list = try await daemon.run("list", "-o", "json", as: "root")
            expect(list.output.first?.contains(#","by":"kiosk","bound":"#) == true, "\(list)")
            let watch = try await daemon.run("watch", "room/*", "-n", "1", "-o", "json", as: "root")
            expect(watch.output.first?.hasSuffix(#","by":"kiosk"}"#) == true, "\(watch)")
            let template = try await daemon.run("get", "room/a", "-F", "{value} by {by}", as: "root")
            expect(template.output == ["1 by kiosk"])
            let monitor = try daemon.start(["monitor", "room/*"], as: "root")
            // The changes before its watch stands are not reported.
            let writing = Task {
                while !Task.isCancelled { try await daemon.run("incr", "room/a", as: "kiosk") }
            }
            let line = await monitor.output.next()
            writing.cancel()
            _ = await writing.result
            expect(line?.hasSuffix("\tby kiosk") == true, "\(line ?? "nothing")")
            let who = try await daemon.run("who", as: "root")
            #expect(who.output.contains { $0.contains("  root ") } && who.output.allSatisfy { $0.contains("racctl/") })
            let json = try await daemon.run("who", "-o", "json", as: "root")
            #expect(json.output.allSatisfy { $0.contains(#""principal":"root""#) }, "\(json)")
        }
    }

    // MARK: Commands that go on

    /// Starts each stream with a file's token, and waits until it has what it wants from the daemon.
    private func startStreams(_ daemon: ClosedDaemon, tokenFile: String) async throws -> [(line: String, Program)] {
        try await daemon.run("txn", "room/a=1", as: "root")
        let host = try daemon.start(["provide", "room/x", "--", "cat"], as: "root")
        _ = await host.errors.next()
        let streams = try Self.streams.map { line in
            let words = self.words(line)
            let options = ["--token-file", tokenFile, "--timeout", "180", "--interval", "0.1"].prefix(
                words[0] == "top" ? 6 : 2
            )
            return (line, try daemon.start([words[0]] + options + words.dropFirst(), as: nil))
        }
        // The other streams print nothing at first.
        for (line, program) in streams where !line.hasPrefix("monitor") {
            let isSilent = line.hasPrefix("link") || line.hasPrefix("provide")
            _ = await (isSilent ? program.errors : program.output).next()
        }
        return streams
    }

    @Test("A command that goes on ends with 5 when racd does not know its token any more")
    func refusedLater() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let file = try daemon.tokenFile("kiosk")
            let streams = try await self.startStreams(daemon, tokenFile: file)
            try await daemon.restart(.tokens(kiosk: "another"))
            for (line, program) in streams {
                let ended = await program.ended()
                expect(ended.status == 5, "\(line): \(ended)")
                let reason = "racctl: the token is not known, or its time is over"
                expect(ended.errors.suffix(2) == [reason, Self.helpForToken], "\(line): \(ended)")
            }
        }
    }

    @Test("provide ends with 5 and what would help when its hosting is withdrawn, and its execution fails")
    func withdrawn() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let host = try daemon.start(["provide", "room/x", "--", "sleep", "1000"], as: "kiosk")
            expect(await host.errors.next() == "racctl: hosting room/x")
            let call = try daemon.start(["exec", "room/x"], as: "root")
            let isRunning = #","executions":1,"#
            while try await daemon.run("commands", "-o", "json", as: "root").output.first?.contains(isRunning) != true {
            }
            try await daemon.take(.tokens(lacking: .host))
            let ended = await host.ended()
            expect(ended.status == 5, "\(ended)")
            expect(ended.errors.suffix(2) == ["racctl: kiosk may not host room/x", Self.helpForRight], "\(ended)")
            expect(await call.ended().errors.last?.contains("the host of room/x has gone") == true)
        }
    }

    @Test("A command that goes on reads its token file again when racd refuses the earlier token")
    func replacedToken() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let file = try daemon.tokenFile("kiosk")
            try await daemon.run("set", "room/a", "1", as: "root")
            let bind = try daemon.start(["bind", "room/a", "--token-file", file], as: nil, input: .pipe)
            expect(await bind.output.next() == "1")
            try ClosedDaemon.write("fresh", to: file)
            try await daemon.restart(.tokens(kiosk: "fresh"))
            expect(try await daemon.run("set", "room/a", "2", as: "root").status == 0)
            expect(await bind.output.next() == "2")
            bind.signal(SIGTERM)
            expect(await bind.ended().status == 130)
        }
    }

    // MARK: Token files and contexts

    @Test("A missing or empty token file is reported in one line: 2")
    func badTokenFile() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let empty = daemon.workplace.path("empty")
            try Data("\n".utf8).write(to: URL(filePath: empty))
            let missing = daemon.workplace.path("nothing")
            for (path, message) in [
                (empty, "racctl: the token file \(empty) is empty"),
                (missing, "racctl: cannot read the token file \(missing): No such file or directory"),
            ] {
                let ended = try await daemon.run("ping", "--token-file", path, as: nil)
                expect(ended == Ended(status: 2, output: [], errors: [message]))
            }
        }
    }

    @Test("A token file that others have rights to is reported with its mode and the remedy, and is used")
    func openTokenFile() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let file = try daemon.tokenFile("kiosk")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let ended = try await daemon.run("set", "room/a", "1", "--token-file", file, as: nil)
            let warning = "other users have rights to the token file \(file) (mode 0644): `chmod 600 \(file)` ends that"
            expect(ended == Ended(status: 0, output: [], errors: ["racctl: warning: \(warning)"]))
            let json = try await daemon.run("set", "room/a", "1", "-ojson", "--token-file", file, as: nil)
            expect(json.errors == [#"{"warning":{"code":"token-file","message":"\#(warning)"}}"#])
        }
    }

    @Test("A program that racctl starts has the token of its racctl")
    func programs() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let file = try daemon.tokenFile("kiosk")
            try await daemon.run("set", "room/a", "7", as: "root")
            let racctl = Program.path(of: "racctl")
            let words = ["watch", "room/a", "-n", "1", "--token-file", file, "--exec", racctl, "get", "room/a"]
            let ended = try await daemon.start(words, as: nil).ended()
            expect(ended == Ended(status: 0, output: ["7"], errors: []))
        }
    }

    @Test("A context leads to its daemon with its token, by name and when it is in use")
    func contexts() async throws {
        try await ClosedDaemon.with(.tokens()) { daemon in
            let file = try daemon.tokenFile("kiosk")
            let environment = [
                "RACD_SERVER": "", "RACCTL_TOKEN_FILE": "", "XDG_CONFIG_HOME": daemon.workplace.path("config"),
            ]
            func racctl(_ arguments: String..., server: String = "") async throws -> Ended {
                let variables = environment.merging(["RACD_SERVER": server]) { $1 }
                let path = Program.path(of: "racctl")
                return try await daemon.workplace.start(path, arguments, environment: variables).ended()
            }
            let nothing = Ended(status: 0, output: [], errors: [])
            expect(try await racctl("context", "add", "lab", "--server", daemon.url, "--token-file", file) == nothing)
            expect(try await racctl("context", "add", "lab", "--server", daemon.url).status == 4)
            expect(try await racctl("set", "room/a", "1", "--context", "lab") == nothing)
            expect(try await racctl("--context", "lab", "get", "room/a").output == ["1"])
            expect(try await racctl("get", "room/a", "--context", "lap").status == 3)
            expect(try await racctl("context", "use", "lab") == nothing)
            expect(try await racctl("get", "room/a").output == ["1"])
            expect(try await racctl("context", "list").output.last == "*  lab      \(daemon.url)  \(file)")
            expect(try await racctl("context", "list", "-o", "name").output == ["default", "lab"])
            // Another way to the same daemon, which could be any other: the context's token does not go there.
            expect(try await racctl("get", "room/a", server: daemon.url).status == 5)
            expect(try await racctl("get", "room/a", "--server", daemon.url).status == 5)
            let use = try await racctl("context", "use", "lab", server: daemon.url)
            #expect(use.status == 0 && use.errors.count == 1)
            expect(try await racctl("context", "remove", "lab") == nothing)
            expect(try await racctl("context", "remove", "lab").status == 3)
            expect(try await racctl("context", "list", "-o", "name").output == ["default"])
        }
    }

    @Test("A context whose token would travel in clear text is added with a warning that says what is right")
    func exposedContext() async throws {
        try await Workplace.with { workplace in
            let file = workplace.path("token")
            try Data("t0ken\n".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            func add(_ name: String, _ server: String, _ insecure: String = "") async throws -> [String] {
                let environment = ["XDG_CONFIG_HOME": workplace.path("config"), "RACCTL_INSECURE": insecure]
                let words = ["context", "add", name, "--server", server, "--token-file", file]
                let ended = try await workplace.start(Program.path(of: "racctl"), words, environment: environment)
                    .ended()
                #expect(ended.status == 0 && ended.output == [])
                return ended.errors
            }
            let warnings = try await add("a", "lab:7220")
            #expect(
                warnings.count == 1 && warnings.first?.contains("--server racs://lab:7220, or say --insecure") == true
            )
            expect(try await add("b", "racs://lab:7220") == [])
            expect(try await add("c", "127.0.0.1:7220") == [])
            expect(try await add("d", "lab:7220", "1") == [])
        }
    }

    @Test(
        "Wrong usage of contexts ends with 2 and one line",
        arguments: [
            "context", "context add", "context add lab", "context add lab --server http://a",
            "context add a/b --server a:1",
            "context use", "context remove", "context list lab", "context use lab --server a:1", "context nonsense",
            "context remove default", "context add default --server a:1", "get a --context lab --server a:1",
            "get a --context a/b", "context list -o value",
        ]
    )
    func usage(line: String) async throws {
        try await Workplace.with { workplace in
            let environment = ["XDG_CONFIG_HOME": workplace.path("config")]
            let program = try workplace.start(Program.path(of: "racctl"), self.words(line), environment: environment)
            let ended = await program.ended()
            #expect(ended.status == 2 && ended.output == [] && ended.errors.count == 1, "\(ended)")
        }
    }
}

import Expectations
import Foundation
import Testing

/// `racd config`, `racd acl` and `racd token`, and a racd that reads its configuration again.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationTests {
    private static let file = """
        memory = true
        token-file = "tokens"
        anonymous = ["guest"]

        [[listen]]
        address = "127.0.0.1:0"

        [[role]]
        name = "guest"
        read = ["room/**"]
        deny = ["room/safe"]

        [[principal]]
        name = "known"
        roles = ["guest"]
        """

    private func write(_ text: String, to name: String = "racd.toml", mode: Int = 0o600, _ workplace: Workplace) throws
    {
        let path = workplace.path(name)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func racd(
        _ words: String...,
        in workplace: Workplace,
        _ environment: [String: String] = [:]
    ) async throws -> Ended {
        let variables = ["RACD_CONFIG": workplace.path("racd.toml")].merging(environment) { $1 }
        return try await workplace.start(Program.path(of: "racd"), words, environment: variables).ended()
    }

    @Test("A check prints the state, or each fault with its line")
    func check() async throws {
        try await Workplace.with { workplace in
            let path = workplace.path("racd.toml")
            try self.write(Self.file, workplace)
            let state = "\(path): in order; racd is closed, roles: 1, principals: 1, tokens: 0"
            let warning = "racd: warning: there is no token file \(workplace.path("tokens")) yet"
            let noTokens = try await self.racd("config", "check", in: workplace)
            expect(noTokens.errors == ["\(warning): nobody can sign in by a token"])
            try self.write("# None.\n", to: "tokens", workplace)
            expect(
                try await self.racd("config", "check", in: workplace) == Ended(status: 0, output: [state], errors: [])
            )
            try self.write("threads = 0\nthread = 1\n", to: "bad.toml", workplace)
            let bad = workplace.path("bad.toml")
            let faults = [
                "racd: \(bad):1: threads: the value is 0, and the key takes 1 to 64",
                "racd: \(bad):2: thread: there is no such key; 'threads' may be meant",
            ]
            expect(
                try await self.racd("config", "check", bad, in: workplace)
                    == Ended(status: 2, output: [], errors: faults)
            )
            let serve = try await self.racd("serve", "--config", bad, in: workplace)
            expect(serve == Ended(status: 2, output: [], errors: faults))
            try self.write(Self.file, to: "open.toml", mode: 0o622, workplace)
            let open = try await self.racd("config", "check", workplace.path("open.toml"), in: workplace)
            expect(open.status == 0)
            #expect(open.errors.count == 1 && open.errors[0].hasSuffix("chmod go-w \(workplace.path("open.toml"))"))
        }
    }

    @Test("The settings are shown with their sources")
    func show() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let environment = ["RACD_MAX_FRAME": "2000"]
            let ended = try await self.racd("config", "show", "--threads", "3", in: workplace, environment)
            #expect(ended.status == 0 && ended.errors == [])
            let lines = ended.output.map { $0.replacing(#/ {2,}/#, with: " ") }
            #expect(lines.contains("max-frame = 2000 # environment RACD_MAX_FRAME"))
            #expect(lines.contains("threads = 3 # option --threads"))
            #expect(lines.contains("memory = true # file \(workplace.path("racd.toml"))"))
            #expect(lines.contains("durability = \"full\" # default"))
            let zero = try await self.racd("config", "show", in: workplace, ["RACD_INSECURE": "0"])
            #expect(
                zero.output.contains { $0.hasPrefix("insecure = false") && $0.hasSuffix("environment RACD_INSECURE") }
            )
        }
    }

    @Test("A verdict has its rule, and its exit code")
    func verdicts() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            func test(_ principal: String, _ verb: String, _ name: String) async throws -> Ended {
                try await self.racd("acl", "test", principal, verb, name, in: workplace)
            }
            let granted = Ended(status: 0, output: ["granted by role guest: room/**"], errors: [])
            expect(try await test("anonymous", "read", "room/1") == granted)
            expect(try await test("known", "read", "room/1") == granted)
            let denied = Ended(status: 1, output: ["denied by role guest: room/safe"], errors: [])
            expect(try await test("known", "read", "room/safe") == denied)
            let none = Ended(status: 1, output: ["not granted by any role"], errors: [])
            expect(try await test("known", "write", "room/1") == none)
            expect(try await self.racd("acl", "test", "known", "admin", in: workplace) == none)
            for words in [
                ("known", "admin", "a"), ("eve", "read", "a"), ("known", "reed", "a"), ("known", "read", "a//b"),
                ("a/b", "read", "a"),
            ] {
                let ended = try await test(words.0, words.1, words.2)
                #expect(ended.status == 2 && ended.output == [] && ended.errors.count == 1, "\(ended)")
            }
        }
    }

    @Test("Clients that show nothing are granted nothing where no key says more, and admin needs no name")
    func verdictsWithoutRules() async throws {
        try await Workplace.with { workplace in
            let role = "[[role]]\nname = \"chief\"\nadmin = true\ndeny = [\"**\"]\n"
            let principal = "[[principal]]\nname = \"root\"\nroles = [\"chief\"]\nunix-user = 0\n"
            try self.write(role + principal, workplace)
            let anonymous = try await self.racd("acl", "test", "anonymous", "read", "a", in: workplace)
            let reason = "not granted: without the key 'anonymous' clients have to show who they are"
            expect(anonymous == Ended(status: 1, output: [reason], errors: []))
            let admin = try await self.racd("acl", "test", "root", "admin", in: workplace)
            expect(admin == Ended(status: 0, output: ["granted by role chief: admin = true"], errors: []))
        }
    }

    @Test("A token is shown once and kept as its hash, with the owner's rights alone")
    func tokens() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let missing = try await self.racd("token", "list", in: workplace)
            let reason = "racd: there is no token file \(workplace.path("tokens"))"
            expect(missing == Ended(status: 1, output: [], errors: [reason]))
            let words = ["token", "create", "kiosk", "--role", "guest", "--expires", "90d"]
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let made = try await workplace.start(Program.path(of: "racd"), words, environment: environment).ended()
            let token = try #require(made.output.first)
            expect(made == Ended(status: 0, output: [token], errors: []))
            #expect(token.wholeMatch(of: /rac_[A-Za-z0-9_-]{43}/) != nil)
            let kept = try String(contentsOfFile: workplace.path("tokens"), encoding: .utf8)
            #expect(!kept.contains(token.dropFirst(4)) && kept.contains("sha256:"))
            let attributes = try FileManager.default.attributesOfItem(atPath: workplace.path("tokens"))
            expect(attributes[.posixPermissions] as? Int == 0o600)
            let listed = try await self.racd("token", "list", in: workplace)
            expect(listed.output.count == 2)
            #expect(listed.output[1].firstMatch(of: /^[0-9a-f]{12}  kiosk  guest  20/) != nil)
            let shown = try await self.racd("config", "show", in: workplace).output + listed.output
            #expect(!shown.joined().contains(token.dropFirst(4)))
            let known = try await self.racd("token", "create", "known", in: workplace)
            expect(known.status == 0)
            let revoked = try await self.racd("token", "revoke", "kiosk", in: workplace)
            expect(revoked.output == ["revoked \(listed.output[1].prefix(12)) of kiosk"])
            let again = try await self.racd("token", "revoke", "kiosk", in: workplace)
            expect(
                again == Ended(status: 1, output: [], errors: ["racd: no token 'kiosk' in \(workplace.path("tokens"))"])
            )
            expect(try await self.racd("token", "list", in: workplace).output.count == 2)
        }
    }

    @Test(
        "A token in the place of something else is not shown",
        arguments: [
            "token revoke TOKEN", "acl test TOKEN read a", "token create TOKEN/", "config check TOKEN", "TOKEN",
        ]
    )
    func misplaced(words: String) async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let token = "rac_0123456789abcdefghijABCDEFGHIJ0123456789abc"
            let arguments = words.replacing("TOKEN", with: token).split(separator: " ").map(String.init)
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let ended = try await workplace.start(Program.path(of: "racd"), arguments, environment: environment).ended()
            #expect(ended.status != 0 && ended.output == [])
            #expect(ended.errors.count == 1 && !ended.errors[0].contains("0123456789"), "\(ended.errors)")
        }
    }

    @Test(
        "A token that could not be shown is not kept",
        arguments: ["", "mkfifo \"$1.pipe\"; exec 4<>\"$1.pipe\" 5>\"$1.pipe\"; exec 4<&-; "]
    )
    func unseen(before: String) async throws {
        try await Workplace.with { workplace in
            let output = before.isEmpty ? "/dev/full" : "&5"
            let script = before + "\"$0\" token create a --role r --token-file \"$1\" >\(output)"
            let words = ["-c", script, Program.path(of: "racd"), workplace.path("tokens")]
            let ended = try await workplace.start("/bin/sh", words).ended()
            expect(ended.status == 1)
            let listed = try await self.racd(
                "token",
                "list",
                "--token-file",
                workplace.path("tokens"),
                in: workplace,
                ["RACD_CONFIG": ""]
            )
            expect(listed.output.count == 1)
        }
    }

    @Test("A token file that others may write starts no racd")
    func writable() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            try self.write("", to: "tokens", mode: 0o620, workplace)
            let ended = try await self.racd("serve", in: workplace)
            #expect(ended.status == 2 && ended.output == [] && ended.errors.count == 1)
            expect(ended.errors.first?.hasSuffix("chmod go-w \(workplace.path("tokens"))") == true)
        }
    }

    @Test("A racd that others can reach does not start without TLS, or warns that it is open by decision")
    func exposed() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let closed = try await self.racd("serve", "--listen", "0.0.0.0:0", in: workplace)
            expect(closed.status == 2)
            expect(closed.errors.first?.contains("has no TLS, so tokens would travel in clear text") == true)
            let environment = ["RACD_CONFIG": ""]
            let open = try await self.racd("serve", "--memory", "--listen", "0.0.0.0:0", in: workplace, environment)
            expect(open.status == 2)
            expect(open.errors.first?.contains("racd asks nobody who they are") == true)
            let insecure = ["--memory", "--listen", "0.0.0.0:0", "--insecure"]
            let daemon = try await Daemon(try workplace.racd(insecure, environment: environment), in: workplace)
            let warning = await daemon.program.errors.next()
            expect(warning?.contains(" warning: whoever reaches 0.0.0.0:0 may read and change everything") == true)
        }
    }

    /// The next line of a log that has a text.
    private func line(_ text: String, of daemon: Daemon) async throws -> String {
        while let line = await daemon.program.errors.next() {
            if line.contains(text) { return line }
        }
        throw SystemFailure(what: "no line '\(text)'", number: 0)
    }

    @Test("At SIGHUP the whole file is applied or nothing of it, fifty times")
    func reloads() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let daemon = try await Daemon(try workplace.racd([], environment: environment), in: workplace)
            for number in 0..<50 {
                let isBad = number % 5 == 3
                let roles = (0...number).map { "\n[[role]]\nname = \"r\($0)\"\n" }.joined()
                try self.write((isBad ? "threads = \"x\"\n" : "") + Self.file + roles, workplace)
                daemon.program.signal(SIGHUP)
                if isBad {
                    let line = try await self.line("the configuration was", of: daemon)
                    #expect(line.contains(" error: the configuration was not taken, "))
                    #expect(line.contains(" audit=reload "))
                    #expect(line.contains("racd.toml:1: threads: the value is a string"))
                } else {
                    let line = try await self.line("the configuration was read again audit=reload ", of: daemon)
                    #expect(line.hasSuffix(" principals=1 roles=\(number + 2) tokens=0"))
                }
            }
            expect(await daemon.end().status == 0)
        }
    }

    @Test("A reading changes the level of the log, and names settings that need a restart")
    func changes() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let daemon = try await Daemon(try workplace.racd([], environment: environment), in: workplace)
            try self.write("threads = 2\nmax-frame = 5000\nlog-level = \"warning\"\n" + Self.file, workplace)
            daemon.program.signal(SIGHUP)
            let line = try await self.line("after a restart", of: daemon)
            #expect(line.hasSuffix(#" keys="max-frame, threads""#))
            expect(await daemon.end().errors.contains { $0.contains("shutting down") } == false)
        }
    }

    @Test("A token holds and ends without a signal")
    func tokenChanges() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let daemon = try await Daemon(try workplace.racd([], environment: environment), in: workplace)
            let made = try await self.racd("token", "create", "kiosk", "--role", "guest", in: workplace)
            let token = try #require(made.output.first)
            #expect(try await self.line("a token was added", of: daemon).contains("audit=token "))
            _ = try await self.racd("token", "revoke", "kiosk", in: workplace)
            #expect(try await self.line("a token was revoked audit=token ", of: daemon).contains(" principal=kiosk"))
            let log = await daemon.end().errors
            #expect(!log.joined().contains(token.dropFirst(4)))
        }
    }

    @Test("A token file that goes is reported, and its tokens hold")
    func lostTokenFile() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, workplace)
            let made = try await self.racd("token", "create", "kiosk", "--role", "guest", in: workplace)
            let token = try #require(made.output.first)
            try self.write(token, to: "kiosk.token", workplace)
            let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
            let daemon = try await Daemon(try workplace.racd([], environment: environment), in: workplace)
            try FileManager.default.moveItem(atPath: workplace.path("tokens"), toPath: workplace.path("away"))
            let line = try await self.line("the token file was not taken", of: daemon)
            #expect(line.contains(" error: ") && line.hasSuffix("the file is not there any more\""))
            expect(try await daemon.run("ping", "--token-file", workplace.path("kiosk.token")).status == 0)
            #expect(await daemon.end().errors.allSatisfy { !$0.contains("a token was") })
        }
    }

    @Test("A backup takes the data folder of the configuration file")
    func backup() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            try self.write("data = \"data\"\n", workplace)
            let copy = workplace.path("copy.db")
            expect(try await self.racd("backup", copy, in: workplace) == Ended(status: 0, output: [], errors: []))
            #expect(FileManager.default.fileExists(atPath: copy))
            expect(try await self.racd("backup", copy, in: workplace).status == 1)
            let replaced = try await self.racd("backup", "--replace", copy, in: workplace)
            expect(replaced == Ended(status: 0, output: [], errors: []))
            try self.write("memory = true\n", workplace)
            let none = try await self.racd("backup", workplace.path("other.db"), in: workplace)
            expect(none.status == 2)
            expect(none.errors.first?.contains("a racd of this configuration keeps nothing") == true)
        }
    }

    @Test(
        "Every page of help about the configuration fits 80 columns",
        arguments: [
            "config", "config check", "config show", "acl", "acl test", "token", "token create", "token list",
            "token revoke",
        ]
    )
    func help(words: String) async throws {
        try await Workplace.with { workplace in
            let arguments = words.split(separator: " ").map(String.init) + ["--help"]
            let ended = try await workplace.start(Program.path(of: "racd"), arguments, environment: ["COLUMNS": "80"])
                .ended()
            expect(ended.status == 0)
            expect(ended.output.filter { $0.count > 80 } == [])
            #expect(ended.output.count > 5)
        }
    }
}

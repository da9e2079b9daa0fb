import Expectations
import Foundation
import RacClient
import RacTesting
import Synchronization
import Testing

/// racd with an issuer of JWTs in its configuration file.
@Suite(.timeLimit(.minutes(10))) struct IssuedTokenTests {
    private static let file = """
        memory = true
        log-level = "debug"

        [[listen]]
        address = "127.0.0.1:0"

        [[role]]
        name = "kiosk"
        read = ["room/**"]
        write = ["room/**"]

        [[principal]]
        name = "backup"
        roles = ["kiosk"]
        unix-user = 12345

        [[jwt]]
        issuer = "https://id.lab"
        audience = "racd"
        keys = "jwks.json"
        algorithms = ["ES256"]
        """

    private func write(_ text: String, to name: String, _ workplace: Workplace) throws {
        let path = workplace.path(name)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func daemon(_ keySet: String, in workplace: Workplace) async throws -> Daemon {
        try self.write(Self.file, to: "racd.toml", workplace)
        try self.write(keySet, to: "jwks.json", workplace)
        let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
        return try await Daemon(try workplace.racd([], environment: environment), in: workplace)
    }

    private static func claims(_ changes: [String: String] = [:]) -> String {
        let claims = [
            "iss": "\"https://id.lab\"", "aud": "\"racd\"", "sub": "\"alice\"", "roles": "[\"kiosk\"]",
            "exp": "253402300799",
        ]
        let members = claims.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    private static func time(in seconds: Double) -> String { "\(Date.now.timeIntervalSince1970 + seconds)" }

    /// The next line of a log that has a text.
    private func line(_ text: String, of daemon: Daemon) async throws -> String {
        while let line = await daemon.program.errors.next() {
            if line.contains(text) { return line }
        }
        throw SystemFailure(what: "no line '\(text)'", number: 0)
    }

    private func racctl(
        _ daemon: Daemon,
        _ token: String,
        _ workplace: Workplace,
        _ words: String...
    ) async throws
        -> Ended
    {
        let path = workplace.path("token-\(UUID().uuidString)")
        try ClosedDaemon.write(token, to: path)
        let environment = [
            "RACD_SERVER": daemon.url, "RACCTL_TOKEN_FILE": path, "XDG_CONFIG_HOME": workplace.path("config"),
        ]
        return try await workplace.start(Program.path(of: "racctl"), words, environment: environment).ended()
    }

    @Test("A client reads with a JWT, is ended at its exp, and goes on with the next one, of a key that came meanwhile")
    func renewal() async throws {
        try await Workplace.with { workplace in
            let (first, second) = (try TestIssuer(), try TestIssuer(id: "k2"))
            let daemon = try await self.daemon(TestIssuer.keySet(first), in: workplace)
            let brief = try first.token(Self.claims(["exp": Self.time(in: 20)]))
            let next = try second.token(Self.claims())
            let asked = Mutex(0)
            var configuration = ClientConfiguration()
            configuration.longestPause = .milliseconds(50)
            configuration.token = .closure {
                let isFirst = asked.withLock { asked in
                    asked += 1
                    return asked == 1
                }
                return try AccessToken(isFirst ? brief : next)
            }
            let client = Client(.tcp(host: "127.0.0.1", port: Int(daemon.port)), configuration: configuration)
            let ended = Task {
                for await state in client.connection.signal.values {
                    if case .lost(let error, _) = state, error.code == .unauthenticated { return true }
                }
                return false
            }
            do {
                try await client.set("room/a", .integer(1))
                expect(try await client.get("room/a").by == "alice")
                try self.write(TestIssuer.keySet(first, second), to: "jwks.json", workplace)
                #expect(try await self.line("the keys of an issuer were read again", of: daemon).contains("jwks.json"))
                #expect(await ended.value)
                expect(try await client.get("room/a").value == .integer(1))
                expect(asked.withLock(\.self) == 2)
            } catch {
                await client.close()
                throw error
            }
            await client.close()
            let log = await daemon.end().errors.joined()
            for token in [brief, next] { #expect(!token.split(separator: ".").contains { log.contains($0) }) }
        }
    }

    @Test("A key set with a fault is reported, and the earlier keys hold")
    func broken() async throws {
        try await Workplace.with { workplace in
            let issuer = try TestIssuer()
            let daemon = try await self.daemon(TestIssuer.keySet(issuer), in: workplace)
            try self.write("<html>", to: "jwks.json", workplace)
            let line = try await self.line(
                "the key file of an issuer was not taken, and the keys before hold",
                of: daemon
            )
            #expect(line.contains("jwks.json: the key set is no JSON of a key set: unexpected '<' at byte 0"))
            let ended = try await self.racctl(daemon, try issuer.token(Self.claims()), workplace, "set", "room/a", "1")
            expect(ended == Ended(status: 0, output: [], errors: []))
            try self.write(Self.file, to: "racd.toml", workplace)
            daemon.program.signal(SIGHUP)
            _ = try await self.line("the configuration was not taken, and the one before holds", of: daemon)
        }
    }

    @Test("Each bad token ends with 5 and one line of the log, and neither shows it")
    func refused() async throws {
        try await Workplace.with { workplace in
            let (issuer, other) = (try TestIssuer(), try TestIssuer())
            let daemon = try await self.daemon(TestIssuer.keySet(issuer), in: workplace)
            let tokens = [
                try issuer.token(header: #"{"alg":"none","kid":"k1"}"#, claims: Self.claims()): "is 'none', not ES256",
                try other.token(Self.claims()): "the signature of the JWT is not that of the key 'k1'",
                try issuer.token(Self.claims(["aud": "\"other\""])): "the JWT is for 'other', not for this racd",
                try issuer.token(Self.claims(["exp": "1"])): "the time of the JWT was over",
                try issuer.token(Self.claims(["exp": ""])): "the JWT has no 'exp'",
                try issuer.token(Self.claims(["nbf": Self.time(in: 600)])): "seconds ahead, and the leeway is 60",
                try issuer.token(Self.claims(["sub": "\"backup\""])): "the name 'backup' of the JWT is taken",
                try issuer.token(Self.claims(["iss": "\"x\""])): "the issuer 'x' of the JWT has no table [[jwt]]",
                try issuer.token(Self.claims(["roles": "[\"chief\"]"])): "no role of the JWT has a table [[role]]",
                "eyJhbGciOiJFUzI1NiJ9.e30=.AA": "is not in base64url without padding",
            ]
            try await withThrowingTaskGroup { group in
                for token in tokens.keys {
                    group.addTask {
                        let ended = try await self.racctl(daemon, token, workplace, "get", "room/a")
                        #expect(ended.status == 5 && ended.output == [])
                        expect(ended.errors.first == "racctl: the token is not known, or its time is over")
                    }
                }
                try await group.waitForAll()
            }
            let log = await daemon.end().errors
            for (token, reason) in tokens {
                let lines = log.filter { $0.contains(reason) }
                expect(lines.count == 1, "\(reason): \(lines)")
                expect(lines.first?.contains("code=unauthenticated") == true)
                #expect(!log.joined().contains(token.split(separator: ".")[1]))
            }
        }
    }

    @Test("config check counts keys, and acl test takes the roles that a JWT gives")
    func commands() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, to: "racd.toml", workplace)
            let path = workplace.path("racd.toml")
            func racd(_ words: String...) async throws -> Ended {
                let environment = ["RACD_CONFIG": path]
                return try await workplace.start(Program.path(of: "racd"), words, environment: environment).ended()
            }
            let keys = workplace.path("jwks.json")
            let missing = ["racd: \(keys): the file cannot be read: No such file or directory"]
            expect(try await racd("config", "check") == Ended(status: 2, output: [], errors: missing))
            try self.write(TestIssuer.keySet(try TestIssuer()), to: "jwks.json", workplace)
            let state = "\(path): in order; racd is closed, roles: 1, principals: 1, tokens: 0, issuers: 1, keys: 1"
            expect(try await racd("config", "check") == Ended(status: 0, output: [state], errors: []))
            let granted = Ended(status: 0, output: ["granted by role kiosk: room/**"], errors: [])
            expect(try await racd("acl", "test", "alice", "read", "room/a", "--role", "kiosk") == granted)
            for (words, fault) in [
                (["alice", "read", "a"], "there is no principal 'alice' in \(path); the roles of one of a JWT are"),
                (["alice", "read", "a", "--role", "chief"], "there is no role 'chief' in \(path)"),
                (["backup", "read", "a", "--role", "kiosk"], "the name 'backup' of the JWT is taken"),
                (["a/b", "read", "a", "--role", "kiosk"], "may have no / and no braces"),
            ] {
                let ended = try await workplace.start(
                    Program.path(of: "racd"),
                    ["acl", "test"] + words,
                    environment: ["RACD_CONFIG": path]
                ).ended()
                #expect(ended.status == 2 && ended.output == [], "\(ended)")
                expect(ended.errors.first?.contains(fault) == true, "\(ended)")
            }
        }
    }

    @Test("A JWT in the place of something else is not shown")
    func misplaced() async throws {
        try await Workplace.with { workplace in
            try self.write(Self.file, to: "racd.toml", workplace)
            try self.write(TestIssuer.keySet(try TestIssuer()), to: "jwks.json", workplace)
            let token = try TestIssuer().token(Self.claims())
            for words in [["acl", "test", token, "read", "a"], ["config", "check", token]] {
                let environment = ["RACD_CONFIG": workplace.path("racd.toml")]
                let ended = try await workplace.start(Program.path(of: "racd"), words, environment: environment).ended()
                expect(ended.status == 2)
                #expect(!token.split(separator: ".").contains { ended.errors.joined().contains($0) }, "\(ended)")
            }
        }
    }
}

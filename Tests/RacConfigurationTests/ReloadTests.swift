import Expectations
import Foundation
import Logging
import RacAccess
import RacConfiguration
import RacProtocol
import RacServer
import RacTesting
import Testing

@Suite struct ReloadTests {
    private let folder: ScratchFolder

    init() throws {
        self.folder = try ScratchFolder()
    }

    private static let roles = "[[role]]\nname = \"r\"\nread = [\"room/**\"]\n[[role]]\nname = \"s\"\n"

    private func configuration(_ head: String = "", _ tail: String = "") throws -> Configuration {
        let text = "token-file = \"tokens\"\n" + head + "\n" + Self.roles + tail
        return Configuration(file: try ConfigurationFile(path: try self.folder.write(text, to: "racd.toml")))
    }

    private func token(_ name: String, _ roles: [String]?) throws -> (String, StoredToken) {
        let token = NewToken.make()
        let name = try PrincipalName(name)
        return (
            token, StoredToken(name: name, roles: roles, hash: TokenHash(of: token), createdAt: nil, expiresAt: nil)
        )
    }

    private func write(_ tokens: [StoredToken]) throws {
        try TokenFile(path: self.folder.path("tokens")).change { _ in tokens }
    }

    private func name(_ token: String, in held: HeldConfiguration) -> String? {
        held.policy?.admits(Credentials(token: TokenHash(of: token)), at: 0)?.rights.principal.text
    }

    @Test("Tokens of the token file stand for their principals, with the roles of the file for a principal in it")
    func tokens() throws {
        let (own, ownToken) = try self.token("own", ["r"])
        let (known, knownToken) = try self.token("known", nil)
        let (gone, goneToken) = try self.token("gone", nil)
        try self.write([ownToken, knownToken, goneToken])
        let principal = "[[principal]]\nname = \"known\"\nroles = [\"r\"]\n"
        let held = try HeldConfiguration(self.configuration("", principal))
        expect(self.name(own, in: held) == "own")
        expect(self.name(known, in: held) == "known")
        expect(self.name(gone, in: held) == nil)
        let room = try ChannelName("room/1")
        expect(held.policy?.rights(of: try PrincipalName("known"))?.allows(.read, room) == true)
        let warning = "the token \(goneToken.id) of 'gone' stands for nobody: no [[principal]] has this name any more"
        expect(held.warnings == [warning])
    }

    @Test("A check warns of a certificate that is no good, and of files that the owner of the data folder cannot read")
    func checkWarnings() throws {
        let authority = try TestAuthority()
        let (old, later) = (try authority.sign("old", time: .past), try authority.sign("later", time: .future))
        let good = try authority.sign("good")
        func warnings(_ files: TestAuthority.Files, _ head: String = "") throws -> [String] {
            let listen = """
                [[listen]]
                address = "127.0.0.1:0"
                certificate = "\(files.certificate)"
                key = "\(files.key)"
                """
            let held = try HeldConfiguration(self.configuration(head, listen))
            return held.checkWarnings.filter { !held.warnings.contains($0) }
        }
        try self.write([])
        expect(try warnings(good) == [])
        expect(
            try warnings(old) == ["\(old.certificate): the certificate has expired: clients will not trust it"]
        )
        expect(
            try warnings(later) == ["\(later.certificate): the certificate is not valid yet: clients will not trust it"]
        )
        let data = self.folder.path("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        // Only root can give a folder away.
        guard geteuid() == 0, chown(data, 54321, 54321) == 0 else { return }
        let barred = try warnings(good, "data = \"data\"")
        for path in [self.folder.path("racd.toml"), self.folder.path("tokens"), good.key] {
            let words = "the owner of \(data) cannot read the file, and so not a racd of that user"
            #expect(barred.contains("\(path): \(words)"), "\(barred)")
        }
    }

    @Test("A token file that has become empty is a fault, and the tokens before hold")
    func emptied() throws {
        let (own, ownToken) = try self.token("own", ["r"])
        try self.write([ownToken])
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        expect(held.warnings == [])
        try self.folder.write("", to: "tokens")
        let tokens = SideFile.tokens(self.folder.path("tokens"))
        let error = #expect(throws: ConfigurationError.self) { try held.withNew(tokens, started: started) }
        expect(error?.description.hasPrefix("\(self.folder.path("tokens")): the file has become empty") == true)
        #expect(throws: ConfigurationError.self) { try held.reloaded(started, started: started) }
        expect(self.name(own, in: held) == "own")
        let words = "\(self.folder.path("tokens")): the file is empty: nobody can sign in by a token"
        expect(try HeldConfiguration(started).warnings == [words])
        try self.write([])
        expect(try HeldConfiguration(started).warnings == [])
    }

    @Test("A token file that is not there at the start is a warning, until there is one")
    func noTokens() throws {
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        let path = self.folder.path("tokens")
        expect(held.warnings == ["there is no token file \(path) yet: nobody can sign in by a token"])
        let (own, ownToken) = try self.token("own", ["r"])
        try self.write([ownToken])
        let next = try #require(try held.withNew(.tokens(path), started: started))
        expect(next.warnings == [])
        expect(self.name(own, in: next) == "own")
    }

    @Test("A token whose role is not there, or other than its principal's, stands for nobody, and the others hold")
    func wrongRoles() throws {
        let (good, goodToken) = try self.token("a", ["r"])
        let (missing, missingToken) = try self.token("b", ["x"])
        let (other, otherToken) = try self.token("a", ["s"])
        try self.write([goodToken, missingToken, otherToken])
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        expect([good, missing, other].map { self.name($0, in: held) } == ["a", nil, nil])
        expect(
            held.warnings == [
                "the token \(missingToken.id) of 'b' stands for nobody: there is no role 'x' in the configuration file",
                "the token \(otherToken.id) of 'a' stands for nobody: 'a' has the roles r, and the token has s",
            ]
        )
        // An issuer speaks for nobody of the token file, whether the token stands for somebody now or not.
        for name in ["a", "b"] {
            #expect(throws: TokenFault.self) { try held.policy?.rights(of: try PrincipalName(name), with: ["r"]) }
        }
        #expect(try held.policy?.rights(of: try PrincipalName("c"), with: ["r"]) != nil)
        try self.write([missingToken, otherToken])
        let revoked = try #require(try held.withNew(.tokens(self.folder.path("tokens")), started: started))
        expect(self.name(good, in: revoked) == nil)
    }

    @Test("Other files for an address that stays are taken; another address, or another use of TLS, needs a restart")
    func certificates() throws {
        func listen(_ keys: String) -> String { "[[listen]]\naddress = \"127.0.0.1:7220\"\n\(keys)\n" }
        let files = "certificate = \"a.pem\"\nkey = \"a.key\"\n"
        let started = try self.configuration("", listen(files))
        let held = try HeldConfiguration(started)
        let others = "certificate = \"b.pem\"\nkey = \"b.key\"\nclient-ca = \"ca.pem\"\n"
        let next = try held.reloaded(self.configuration("", listen(others)), started: started)
        #expect(next.needingRestart(since: started).isEmpty)
        let address = started.listeners[0].address
        expect(next.change.tls[address]?.certificateFile == self.folder.path("b.pem"))
        expect(next.change.tls[address]?.requiresClientCertificate == true)
        for other in [listen(""), listen(files + "tls = \"either\"\n")] {
            let changed = try next.reloaded(self.configuration("", other), started: started)
            expect(changed.needingRestart(since: started) == [.listen])
        }
    }

    @Test("The bad ones of fifty readings change nothing, and after each good one its rules hold")
    func fifty() throws {
        let started = try self.configuration()
        var held = try HeldConfiguration(started)
        var good = 0
        for number in 0..<50 {
            do {
                let rule = number % 5 == 4 ? "read = [\"a//\"]" : "read = [\"n/\(number)\"]"
                let head = number % 7 == 6 ? "threads = 0" : ""
                let anonymous = "anonymous = [\"n\"]\n"
                let next = try self.configuration(anonymous + head, "[[role]]\nname = \"n\"\n\(rule)\n")
                held = try held.reloaded(next, started: started)
                good = number
            } catch {
                #expect(number % 5 == 4 || number % 7 == 6)
            }
            let rights = held.policy?.rights(of: .anonymous)
            expect(rights?.allows(.read, try ChannelName("n/\(good)")) == true)
            expect(rights?.allows(.read, try ChannelName("n/\(good + 1)")) == false)
        }
        #expect(good == 48 || good == 47)
    }

    @Test("A closed racd does not open at a reading, and an open one closes")
    func closing() throws {
        let open = Configuration(file: try ConfigurationFile(text: "", path: "f"))
        let started = try self.configuration()
        let error = #expect(throws: ConfigurationError.self) {
            try HeldConfiguration(started).reloaded(open, started: started)
        }
        expect(error?.lines.first?.contains("racd would be open to all: restart racd if that is meant") == true)
        #expect(try HeldConfiguration(open).policy == nil)
        #expect(try HeldConfiguration(open).reloaded(started, started: open).policy != nil)
    }

    @Test("The listeners of the start count, not those of another reading")
    func listeners() throws {
        let text = "insecure = true\n[[listen]]\naddress = \"0.0.0.0:1\"\n"
        let started = Configuration(file: try ConfigurationFile(text: text, path: "f"))
        let next = Configuration(file: try ConfigurationFile(text: "", path: "f"))
        let fault = #expect(throws: ConfigurationFault.self) {
            try HeldConfiguration(started).reloaded(next, started: started)
        }
        expect(fault?.message.hasPrefix("0.0.0.0:1 can be reached") == true)
    }

    @Test("Settings that a running daemon keeps are named, and the others change")
    func kept() throws {
        let started = try self.configuration()
        let text = """
            data = "x"
            durability = "off"
            max-frame = 5000
            threads = 2
            log-format = "json"
            socket-mode = "0600"
            socket-group = "1"
            log-level = "error"
            max-connections = 5
            """
        let web = "[web]\norigins = [\"https://lab.example\"]\nhosts = [\"racd.example\"]\nconsole = \"page\"\n"
        let next = try self.configuration(text, web + "[[listen]]\naddress = \"unix:s\"\n")
        let held = try HeldConfiguration(started).reloaded(next, started: started)
        let keys: [SettingKey] = [
            .data, .durability, .maxFrame, .threads, .logFormat, .socketMode, .socketGroup, .listen,
            .origins, .hosts, .console,
        ]
        expect(Set(held.needingRestart(since: started)) == Set(keys))
        expect(held.change.maximumConnections == 5)
        expect(held.configuration.logLevel == .error)
        expect(try HeldConfiguration(started).needingRestart(since: started) == [])
    }

    @Test("A change of the token file is seen without a reading of the configuration")
    func newTokens() throws {
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        let file = SideFile.tokens(self.folder.path("tokens"))
        expect(held.sideFiles == [file])
        #expect(try held.withNew(file, started: started) == nil)
        let (token, stored) = try self.token("a", ["r"])
        try self.write([stored])
        let next = try #require(try held.withNew(file, started: started))
        expect(self.name(token, in: next) == "a")
        #expect(try next.withNew(file, started: started) == nil)
        try self.write([])
        let last = try #require(try next.withNew(file, started: started))
        expect(self.name(token, in: last) == nil)
        try self.folder.write("x", to: "tokens")
        #expect(throws: ConfigurationError.self) { try last.withNew(file, started: started) }
    }

    @Test("A token file that goes is a fault of a running racd, at a look and at a reading, and its return is none")
    func lostTokens() throws {
        let (token, stored) = try self.token("a", ["r"])
        try self.write([stored])
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        let path = self.folder.path("tokens")
        try self.folder.move("tokens", to: "away")
        let lines = ["\(path): the file is not there any more"]
        let look = #expect(throws: ConfigurationError.self) { try held.withNew(.tokens(path), started: started) }
        expect(look?.lines == lines)
        let reading = #expect(throws: ConfigurationError.self) { try held.reloaded(started, started: started) }
        expect(reading?.lines == lines)
        try self.folder.move("away", to: "tokens")
        #expect(try held.withNew(.tokens(path), started: started) == nil)
        expect(self.name(token, in: try held.reloaded(started, started: started)) == "a")
    }

    @Test("Another token file that is not there yet is taken at a reading")
    func laterTokens() throws {
        let (token, stored) = try self.token("a", ["r"])
        try self.write([stored])
        let started = try self.configuration()
        let text = "token-file = \"later\"\n" + Self.roles
        let path = try self.folder.write(text, to: "racd.toml")
        let next = Configuration(file: try ConfigurationFile(path: path))
        let held = try HeldConfiguration(started).reloaded(next, started: started)
        expect(self.name(token, in: held) == nil)
    }

    @Test("Files that others can read or write are reported, with their mode and the remedy")
    func modes() throws {
        let hash = TokenHash(of: "t")
        let text = """
            token-file = "tokens"
            [[listen]]
            address = "127.0.0.1:0"
            certificate = "c"
            key = "k"
            client-ca = "ca"
            [[principal]]
            name = "p"
            roles = []
            token = "\(hash)"
            """
        let authority = try self.folder.write("", to: "ca", mode: 0o646)
        let path = try self.folder.write(text, to: "racd.toml", mode: 0o664)
        let tokens = try self.folder.write("# None.\n", to: "tokens", mode: 0o644)
        let key = try self.folder.write("", to: "k", mode: 0o604)
        let held = try HeldConfiguration(Configuration(file: try ConfigurationFile(path: path)))
        func readable(_ path: String, _ mode: String, _ what: String) -> String {
            "\(path): others may read the file (mode \(mode)), which has \(what): chmod o-rwx \(path)"
        }
        func writable(_ path: String, _ mode: String) -> String {
            "\(path): others may write the file (mode \(mode)) and give themselves every right: chmod go-w \(path)"
        }
        expect(
            held.warnings == [
                writable(path, "0664"), readable(path, "0664", "hashes of tokens"),
                readable(tokens, "0644", "hashes of tokens"), readable(key, "0604", "the key of a certificate"),
                writable(authority, "0646"),
            ]
        )
        _ = try self.folder.write("", to: "k", mode: 0o640)
        let regrouped = try HeldConfiguration(Configuration(file: try ConfigurationFile(path: path)))
        #expect(!regrouped.warnings.contains { $0.hasPrefix(key) }, "a group was given the key")
    }

    @Test("A proof that nobody can show any more is reported with its line, and is no fault")
    func proofs() throws {
        func warnings(_ listener: String) throws -> [String] {
            let text = """
                [[principal]]
                name = "p"
                roles = []
                token = "\(TokenHash(of: "t"))"
                token-expires = 2020-01-01T00:00:00Z
                certificate = "kiosk"
                \(listener)
                """
            return try HeldConfiguration(Configuration(file: ConfigurationFile(text: text, path: "f"))).warnings
        }
        let over = "f:5: principal.token-expires: the time is over, so no token of 'p' is good"
        let unused = "f:6: principal.certificate: 'kiosk' never applies: no [[listen]] has the key 'client-ca'"
        expect(try warnings("") == [over, unused])
        let listener = "[[listen]]\naddress = \"127.0.0.1:0\"\ncertificate = \"c\"\nkey = \"k\"\nclient-ca = \"a\""
        expect(try warnings(listener) == [over])
    }

    @Test("A racd that is open by decision, or whose tokens travel in clear text, is reported")
    func exposure() throws {
        func warnings(_ text: String) throws -> [String] {
            let listener = "insecure = true\n\(text)\n[[listen]]\naddress = \"0.0.0.0:1\"\n"
            return try HeldConfiguration(Configuration(file: ConfigurationFile(text: listener, path: "f"))).warnings
        }
        expect(try warnings("") == ["whoever reaches 0.0.0.0:1 may read and change everything: configure principals"])
        let clear = ["tokens travel in clear text to 0.0.0.0:1: give the listener a certificate"]
        let missing = ["there is no token file /no/such yet: nobody can sign in by a token"]
        expect(try warnings("token-file = \"/no/such\"") == clear + missing)
    }
}

import Expectations
import Foundation
import RacAccess
import RacConfiguration
import RacTesting
import Testing

/// JWKS files of issuers, and their changes.
@Suite struct KeyFileTests {
    private static let now: Int64 = 1_800_000_000_000
    private let folder: ScratchFolder
    private let issuer: TestIssuer

    init() throws {
        self.folder = try ScratchFolder()
        self.issuer = try TestIssuer()
    }

    private func configuration(_ tail: String = "") throws -> Configuration {
        let text = """
            token-file = "tokens"
            [[role]]
            name = "r"
            [[jwt]]
            issuer = "i"
            audience = "a"
            keys = "jwks.json"
            algorithms = ["ES256"]
            """
        let path = try self.folder.write("\(text)\n\(tail)", to: "racd.toml")
        return Configuration(file: try ConfigurationFile(path: path))
    }

    private func name(by issuer: TestIssuer, _ held: HeldConfiguration) throws -> String? {
        let token = try issuer.token(#"{"iss":"i","aud":"a","sub":"alice","roles":["r"],"exp":1800000060}"#)
        return try? held.policy?.claims(of: token, at: Self.now).name.text
    }

    private func lines(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch {
            return (error as? ConfigurationError)?.lines ?? ["\(error)"]
        }
    }

    @Test("The keys of a file check the tokens of their issuer")
    func keys() throws {
        try self.folder.write(TestIssuer.keySet(self.issuer), to: "jwks.json", mode: 0o644)
        try self.folder.write("# no tokens yet\n", to: "tokens", mode: 0o600)
        let held = try HeldConfiguration(self.configuration())
        expect(try self.name(by: self.issuer, held) == "alice")
        expect(try self.name(by: try TestIssuer(), held) == nil)
        #expect(held.keyCount == 1 && held.warnings == [])
        let files = ["tokens", "jwks.json"].map(self.folder.path)
        expect(held.sideFiles == [.tokens(files[0]), .keys(files[1])])
    }

    @Test("A file that is not there, is no key set, or that others may write, starts no racd")
    func faults() throws {
        let path = self.folder.path("jwks.json")
        func start() throws { _ = try HeldConfiguration(self.configuration()) }
        expect(self.lines(start) == ["\(path): the file cannot be read: No such file or directory"])
        try self.folder.write("<html>", to: "jwks.json")
        let reason = "the key set is no JSON of a key set: unexpected '<' at byte 0 of the JSON"
        expect(self.lines(start) == ["\(path): \(reason)"])
        try self.folder.write("{\"keys\":[\(self.issuer.publicKey(",\"d\":\"c2VjcmV0\""))]}", to: "jwks.json")
        let secret = "the key 'k1' is private or secret: a key set has public keys only"
        expect(self.lines(start) == ["\(path): \(secret)"])
        try self.folder.write(TestIssuer.keySet(self.issuer), to: "jwks.json", mode: 0o622)
        let harm = "others may write the file (mode 0622) and give themselves every right: chmod go-w \(path)"
        expect(self.lines(start) == ["\(path): \(harm)"])
    }

    @Test("A changed file is read without a reading of the configuration; a broken one leaves the keys before")
    func changes() throws {
        let path = try self.folder.write(TestIssuer.keySet(self.issuer), to: "jwks.json")
        let (file, tokens) = (SideFile.keys(path), SideFile.tokens(self.folder.path("tokens")))
        let started = try self.configuration()
        let held = try HeldConfiguration(started)
        #expect(try held.withNew(file, started: started) == nil)
        try self.folder.write("{", to: "jwks.json")
        #expect(throws: ConfigurationError.self) { try held.withNew(file, started: started) }
        #expect(throws: ConfigurationError.self) { try held.reloaded(self.configuration(), started: started) }
        // A change of the token file is taken nevertheless.
        let token = StoredToken(
            name: try PrincipalName("bob"),
            roles: ["r"],
            hash: TokenHash(of: "t"),
            createdAt: nil,
            expiresAt: nil
        )
        try TokenFile(path: tokens.path).change { _ in [token] }
        let next = try #require(try held.withNew(tokens, started: started))
        expect(try self.name(by: self.issuer, next) == "alice")
        #expect(next.policy?.admits(Credentials(token: TokenHash(of: "t")), at: 0) != nil)
        let other = try TestIssuer(id: "k2")
        try self.folder.write(TestIssuer.keySet(other), to: "jwks.json")
        let last = try #require(try next.withNew(file, started: started))
        expect(try self.name(by: other, last) == "alice")
        expect(try self.name(by: self.issuer, last) == nil)
        #expect(last.policy?.admits(Credentials(token: TokenHash(of: "t")), at: 0) != nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: ConfigurationError.self) { try last.withNew(file, started: started) }
    }

    @Test("A token of the token file takes its name from a principal of a JWT")
    func names() throws {
        try self.folder.write(TestIssuer.keySet(self.issuer), to: "jwks.json")
        let token = StoredToken(
            name: try PrincipalName("alice"),
            roles: ["r"],
            hash: TokenHash(of: "t"),
            createdAt: nil,
            expiresAt: nil
        )
        try TokenFile(path: self.folder.path("tokens")).change { _ in [token] }
        let held = try HeldConfiguration(self.configuration())
        expect(try self.name(by: self.issuer, held) == nil)
    }

    @Test("The settings of an issuer are shown with those that it leaves out")
    func listing() throws {
        let lines = ConfigurationListing(try self.configuration(), folder: nil).lines
        let table = try #require(lines.firstIndex { $0.hasPrefix("[[jwt]]") })
        #expect(lines[table].hasSuffix("# file \(self.folder.path("racd.toml"))"))
        expect(
            lines[(table + 1)...] == [
                "issuer = \"i\"", "audience = [\"a\"]", "keys = \"\(self.folder.path("jwks.json"))\"",
                "algorithms = [\"ES256\"]", "roles-claim = [\"roles\"]", "name-claim = \"sub\"", "leeway = 60",
            ]
        )
    }
}

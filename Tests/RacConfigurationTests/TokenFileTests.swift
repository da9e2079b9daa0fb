import Expectations
import Foundation
import RacAccess
import RacConfiguration
import Testing

@Suite struct TokenFileTests {
    private static func token(_ name: String, roles: [String]? = ["r"], expiresAt: Int64? = nil) throws -> StoredToken {
        StoredToken(
            name: try PrincipalName(name),
            roles: roles,
            hash: TokenHash(of: NewToken.make()),
            createdAt: 1_700_000_000_000,
            expiresAt: expiresAt
        )
    }

    @Test("The text of a file is read as the tokens that it was written from")
    func text() throws {
        let tokens = [
            try Self.token("a \"b\" \\ é", roles: ["r", "s"], expiresAt: 1_800_000_000_000),
            try Self.token("c", roles: nil), try Self.token("d", roles: []),
        ]
        expect(try TokenFile(path: "t").tokens(in: TokenFile.text(of: tokens)) == tokens)
    }

    @Test("A file that is not there has no tokens, and is made for its owner alone")
    func make() throws {
        let folder = try ScratchFolder()
        let file = TokenFile(path: folder.path("tokens"))
        expect(try file.read() == [])
        expect(FileVersion(of: file.path) == nil)
        let token = try Self.token("a")
        try file.change { $0 + [token] }
        expect(try file.read() == [token])
        expect(try folder.mode(of: "tokens") == 0o600)
        expect(try folder.names() == ["tokens"])
    }

    @Test("A change that would make the file longer than racd reads leaves it as it was")
    func long() throws {
        let folder = try ScratchFolder()
        let file = TokenFile(path: folder.path("tokens"))
        let token = try Self.token("a")
        try file.change { _ in [token] }
        let error = #expect(throws: ConfigurationError.self) {
            try file.change { _ in Array(repeating: token, count: 50_000) }
        }
        expect(error?.lines.first?.hasSuffix("longer than 4 MiB: revoke tokens whose time is over") == true)
        expect(try file.read() == [token])
    }

    @Test("A change makes another version, keeps the file's mode and follows a link")
    func change() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "tokens", mode: 0o640)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "tokens")
        let file = TokenFile(path: folder.path("link"))
        let before = FileVersion(of: file.path)
        let token = try Self.token("a")
        try file.change { _ in [token] }
        #expect(FileVersion(of: file.path) != before)
        expect(try TokenFile(path: folder.path("tokens")).read() == [token])
        expect(try folder.mode(of: "tokens") == 0o640)
        expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "tokens")
    }

    @Test("A change that fails leaves the file as it was, and what a lost program left is no hindrance")
    func failure() throws {
        let folder = try ScratchFolder()
        let file = TokenFile(path: folder.path("tokens"))
        try folder.write("half", to: "tokens.new")
        let token = try Self.token("a")
        try file.change { _ in [token] }
        #expect(throws: RuleError.self) { try file.change { _ in throw RuleError("no") } }
        expect(try file.read() == [token])
        expect(try folder.names() == ["tokens"])
    }

    @Test("Changes at the same time all hold, and each reader sees a whole file")
    func together() async throws {
        let folder = try ScratchFolder()
        let file = TokenFile(path: folder.path("tokens"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let token = try Self.token("p\(number)")
                    try file.change { $0 + [token] }
                    #expect(try file.read().contains(token))
                }
            }
            try await group.waitForAll()
        }
        expect(Set(try file.read().map(\.name.text)) == Set((0..<20).map { "p\($0)" }))
    }

    @Test("A folder is no token file, and no message asks to change its rights")
    func folder() {
        let error = #expect(throws: ConfigurationError.self) { try TokenFile(path: "/tmp").read() }
        expect(error?.lines == ["/tmp: this is a folder, and no token file"])
    }

    @Test("A file that others may write is refused with the remedy", arguments: [0o620, 0o602, 0o666])
    func writable(mode: Int) throws {
        let folder = try ScratchFolder()
        let path = try folder.write("", to: "tokens", mode: mode)
        let error = #expect(throws: ConfigurationError.self) { try TokenFile(path: path).read() }
        let digits = "0" + String(mode, radix: 8)
        let reason = "others may write the file (mode \(digits)) and give themselves every right: chmod go-w \(path)"
        expect(error?.lines == ["\(path): \(reason)"])
    }

    @Test(
        "A file at fault has one line",
        arguments: [
            ("token = 1", "t:1: token: the value is an integer, and the key takes tables, each under a line [[token]]"),
            ("[[token]]\nname = \"a\"", "t:1: token: the key 'hash' is missing"),
            ("[[token]]\nname = \"a/b\"\nhash = \"\(TokenHash(of: "t"))\"", "t:2: token.name: the principal's name"),
            ("[[token]]\nname = \"a\"\nhash = \"sha256:0\"", "t:3: token.hash: a token is kept as sha256: and 64"),
            (
                "[[token]]\nname = \"a\"\nhash = \"\(TokenHash(of: "t"))\"\nrole = 1",
                "t:4: token.role: there is no such"
            ),
            ("[[token]\n", "t:1: this is no TOML, column 8: a header ends with ]], not with "),
        ]
    )
    func fault(text: String, line: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try TokenFile(path: "t").tokens(in: text) }
        #expect(error?.lines.count == 1 && error?.lines.first?.hasPrefix(line) == true, "\(error?.lines ?? [])")
    }
}

@Suite struct TokenOrderTests {
    private static let access = """
        token-file = "t"
        [[role]]
        name = "r"
        [[role]]
        name = "s"
        [[principal]]
        name = "known"
        roles = ["r"]
        """

    private static func stored(
        _ name: String,
        _ roles: [String],
        among tokens: [StoredToken] = []
    ) throws -> StoredToken {
        let file = try ConfigurationFile(text: Self.access, path: "f")
        let order = TokenOrder(name: try PrincipalName(name), roles: roles, expiresAt: 9)
        return try order.stored(TokenHash(of: "t"), among: tokens, access: file.access, at: 5)
    }

    @Test("A token of a principal in the file has no roles; another one has those of the order, or of its siblings")
    func roles() throws {
        expect(try Self.stored("known", []).roles == nil)
        expect(try Self.stored("known", ["r"]).roles == ["r"])
        let first = try Self.stored("new", ["s", "r"])
        expect(first.roles == ["s", "r"])
        #expect(first.createdAt == 5 && first.expiresAt == 9)
        expect(try Self.stored("new", [], among: [first]).roles == ["s", "r"])
    }

    @Test(
        "An impossible order is refused with a reason",
        arguments: [
            ("known", ["s"], "'known' has the roles r: leave --role out, or choose another name"),
            ("new", [], "'new' has no roles yet: name them with --role"),
            ("new", ["t"], "there is no role 't' in the configuration file"),
        ]
    )
    func refusals(name: String, roles: [String], reason: String) {
        let error = #expect(throws: RuleError.self) { try Self.stored(name, roles) }
        expect(error?.description == reason)
    }

    @Test("A token with other roles than its siblings is refused")
    func siblings() throws {
        let first = try Self.stored("new", ["s"])
        let error = #expect(throws: RuleError.self) { try Self.stored("new", ["r"], among: [first]) }
        expect(error?.description == "'new' has the roles s: leave --role out, or choose another name")
    }

    @Test(
        "The end of a token is a span from now, of one unit or several, or a date",
        arguments: [
            ("1s", 2000), ("90d", 7_776_001_000), ("2w", 1_209_601_000), ("12h", 43_201_000), ("5m", 301_000),
            ("1d12h", 129_601_000), ("1970-01-02", 86_400_000), ("1970-01-01T12:00:00Z", 43_200_000),
            ("1970-01-01T12:00:00.5+01:00", 39_600_500),
        ]
    )
    func end(text: String, milliseconds: Int64) throws {
        expect(try TokenEnd.milliseconds(text, from: 1000) == milliseconds)
    }

    @Test(
        "A text that is no end of a token is refused",
        arguments: [
            "", "d", "90", "0d", "-1d", "1y", "1.5d", "99999999999999w", "1d-1h", "1d2", "5000w5000w", "1970-01-01",
            "2027-02-30", "2027-01-01T12:00:00", "12:00:00",
        ]
    )
    func noEnd(text: String) {
        #expect(throws: RuleError.self) { try TokenEnd.milliseconds(text, from: 1000) }
    }
}

import Expectations
import RacAccess
import Testing

@Suite struct PrincipalTests {
    @Test("A token is looked up by its hash, which is that of other tools")
    func hash() throws {
        let written = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        expect(TokenHash(of: "abc").description == written)
        expect(try TokenHash(written) == TokenHash(of: "abc"))
        #expect(TokenHash(of: "").description.hasSuffix("852b855"))
    }

    @Test(
        "A text that is no hash is refused",
        arguments: ["", "sha256:", "sha256:ba78", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]
    )
    func noHash(_ text: String) {
        #expect(throws: RuleError.self) { try TokenHash(text) }
    }

    @Test("New tokens have 256 bits and differ")
    func newTokens() {
        let tokens = (0..<100).map { _ in NewToken.make() }
        expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.hasPrefix("rac_") && $0.utf8.count == 4 + 43 })
        #expect(
            tokens.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") } }
        )
    }

    @Test(
        "A principal's name stands for one segment",
        arguments: [
            "", "a/b", "*", "**", "$sys", "anonymous", "{user}", "a\u{7}",
            "rac_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "bob/\u{301}x", "$\u{301}sys", "{\u{301}user",
            "user}\u{301}",
        ]
    )
    func badName(_ name: String) {
        #expect(throws: RuleError.self) { try PrincipalName(name) }
    }

    @Test("Names and certificates are compared by their bytes: characters that look alike are not the same")
    func bytes() throws {
        let (one, other) = (try PrincipalName("zo\u{eb}"), try PrincipalName("zoe\u{308}"))
        #expect(one != other)
        expect(Set([one, other]).count == 2)
        let kiosk = Principal(name: try PrincipalName("k"), roles: [], certificates: ["Kiosk-7"])
        let policy = try AccessPolicy(roles: [], principals: [kiosk])
        #expect(policy.admits(Credentials(certificate: "Kiosk-7"), at: 0) != nil)
        #expect(policy.admits(Credentials(certificate: "\u{212A}iosk-7"), at: 0) == nil)
    }

    @Test("A name may have the beginning of a token")
    func beginningOfToken() throws {
        expect(try PrincipalName("trac_operator").text == "trac_operator")
    }

    /// A principal with the certificate of a kiosk, and one with a token until a second.
    private static func certificateAndToken(until end: Int64) throws -> [Principal] {
        [
            Principal(name: try PrincipalName("cert"), roles: [], certificates: ["kiosk"]),
            Principal(
                name: try PrincipalName("t"),
                roles: [],
                tokens: [.init(hash: TokenHash(of: "t"), expiresAt: end)]
            ),
        ]
    }

    @Test("A client with a certificate and a token has the rights of the one until the end of the other")
    func certificateAndToken() throws {
        let policy = try AccessPolicy(
            roles: [],
            principals: try Self.certificateAndToken(until: 9)
        )
        let admission = policy.admits(Credentials(token: TokenHash(of: "t"), certificate: "kiosk"), at: 0)
        expect(admission?.rights.principal.text == "cert")
        expect(admission?.expiresAt == 9)
    }

    @Test("The first proof that names a principal counts, and a token that is not known never does")
    func order() throws {
        let policy = try AccessPolicy(
            roles: [],
            principals: [
                Principal(name: try PrincipalName("cert"), roles: [], certificates: ["spiffe://lab/kiosk"]),
                Principal(name: try PrincipalName("token"), roles: [], tokens: [.init(hash: TokenHash(of: "t"))]),
                Principal(name: try PrincipalName("user"), roles: [], unixUsers: [7]),
            ],
            anonymousRoles: []
        )
        func name(_ credentials: Credentials) -> String? {
            policy.admits(credentials, at: 0)?.rights.principal.text
        }
        expect(name(Credentials(token: TokenHash(of: "t"), certificate: "spiffe://lab/kiosk", unixUser: 7)) == "cert")
        expect(name(Credentials(token: TokenHash(of: "t"), certificate: "spiffe://lab/other", unixUser: 7)) == "token")
        expect(name(Credentials(certificate: "spiffe://lab/other", unixUser: 7)) == "user")
        expect(name(Credentials(token: TokenHash(of: "u"), certificate: "spiffe://lab/kiosk", unixUser: 7)) == nil)
        expect(name(Credentials(unixUser: 8)) == "anonymous")
        expect(name(Credentials(token: TokenHash(of: "no"), unixUser: 7)) == nil)
    }

    @Test("A client that shows nothing is refused unless the file gives it roles")
    func nobody() throws {
        #expect(try AccessPolicy(roles: [], principals: []).admits(Credentials(), at: 0) == nil)
        #expect(try AccessPolicy(roles: [], principals: [], anonymousRoles: []).admits(Credentials(), at: 0) != nil)
    }

    @Test("A token's time ends")
    func expiry() throws {
        let token = Principal.Token(hash: TokenHash(of: "t"), expiresAt: 1_000)
        let policy = try AccessPolicy(
            roles: [],
            principals: [Principal(name: try PrincipalName("p"), roles: [], tokens: [token])]
        )
        let admission = try #require(policy.admits(Credentials(token: TokenHash(of: "t")), at: 999))
        expect(admission.expiresAt == 1_000)
        #expect(policy.admits(Credentials(token: TokenHash(of: "t")), at: 1_000) == nil)
    }

    @Test("A certificate stands for a session of a page until its end, and while its authorities are trusted")
    func certificateTerm() throws {
        let policy = try AccessPolicy(
            roles: [],
            principals: try Self.certificateAndToken(until: 5),
            anonymousRoles: []
        )
        let authorities = ClientAuthorities()
        let term = CertificateTerm(end: 9, authorities: authorities)
        let page = Credentials(certificate: "kiosk", certificateTerm: term)
        expect(policy.admits(page, at: 8)?.expiresAt == 9)
        let both = Credentials(token: TokenHash(of: "t"), certificate: "kiosk", certificateTerm: term)
        expect(policy.admits(both, at: 4)?.expiresAt == 5)
        // Neither as somebody else, nor as nobody.
        #expect(policy.admits(page, at: 9) == nil)
        authorities.end()
        #expect(policy.admits(page, at: 8) == nil)
        #expect(policy.admits(both, at: 4) == nil)
        expect(policy.admits(Credentials(certificate: "kiosk"), at: 9)?.rights.principal.text == "cert")
    }

    @Test("Two principals of one proof or name, and roles that are not there, are refused")
    func doubled() throws {
        let one = Principal(name: try PrincipalName("one"), roles: [], unixUsers: [7])
        let two = Principal(name: try PrincipalName("two"), roles: [], unixUsers: [7])
        #expect(throws: RuleError.self) { try AccessPolicy(roles: [], principals: [one, two]) }
        #expect(throws: RuleError.self) { try AccessPolicy(roles: [], principals: [one, one]) }
        let other = Principal(name: try PrincipalName("other"), roles: ["gone"])
        #expect(throws: RuleError.self) { try AccessPolicy(roles: [], principals: [other]) }
        let role = AccessRole(name: "twice")
        #expect(throws: RuleError.self) { try AccessPolicy(roles: [role, role], principals: []) }
    }
}

import Expectations
import RacAccess
import RacProtocol
import RacTesting
import Testing

@Suite struct JWTTests {
    /// The present time of the tests, in milliseconds since 1970 UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let good = #""iss":"https://id.lab","aud":"racd","sub":"alice","roles":["kiosk"],"exp":1800000300"#
    private static let issuer = Result { try TestIssuer() }

    private static let terms = IssuerTerms(
        issuer: "https://id.lab",
        audiences: ["racd", "racd-test"],
        algorithms: JWTAlgorithm.allCases
    )

    private static func policy(
        _ keySet: String,
        _ terms: IssuerTerms = JWTTests.terms,
        principals: [Principal] = [],
        roles: [String] = ["kiosk", "chief"]
    ) throws -> AccessPolicy {
        let pattern = [try RulePattern("status/{user}")]
        return try AccessPolicy(
            roles: roles.map { AccessRole(name: $0, grants: [.read: pattern]) },
            principals: principals,
            issuers: [TokenIssuer(terms, keys: JSONWebKeySet(keySet))]
        )
    }

    /// The kind and the words of the fault of a token.
    private static func fault(_ token: String, of policy: AccessPolicy) -> TokenFault? {
        do throws(TokenFault) {
            _ = try policy.claims(of: token, at: Self.now)
            return nil
        } catch {
            return error
        }
    }

    private static func expectFault(_ token: String, _ kind: TokenFault.Kind, _ words: String, _ policy: AccessPolicy) {
        let fault = Self.fault(token, of: policy)
        #expect(fault?.kind == kind && fault?.description.contains(words) == true, "\(fault as Any)")
    }

    /// The sign for Kelvin, which is another spelling of the letter K.
    private static let kelvin = "\u{212A}"

    @Test("Roles, audiences and the issuer are compared by their bytes")
    func bytes() throws {
        let issuer = try Self.issuer.get()
        let terms = IssuerTerms(issuer: "https://K.lab", audiences: ["K"], algorithms: JWTAlgorithm.allCases)
        let policy = try Self.policy(TestIssuer.keySet(issuer), terms, roles: ["K", "other"])
        func claims(_ issuer: String, _ audience: String, _ roles: [String]) -> String {
            let roles = roles.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"alice","roles":[\#(roles)],"exp":1800000300}"#
        }
        let good = try policy.claims(of: issuer.token(claims("https://K.lab", "K", [Self.kelvin, "K"])), at: Self.now)
        expect(try policy.rights(of: good.name, with: good.roles) == policy.rights(of: good.name, with: ["K"]))
        let kelvin = Self.kelvin
        Self.expectFault(try issuer.token(claims("https://K.lab", "K", [kelvin])), .roles, "no role", policy)
        Self.expectFault(
            try issuer.token(claims("https://K.lab", kelvin, ["K"])),
            .audience,
            "not for this racd",
            policy
        )
        Self.expectFault(
            try issuer.token(claims("https://\(kelvin).lab", "K", ["K"])),
            .issuer,
            "no table [[jwt]]",
            policy
        )
    }

    @Test(
        "A token of each algorithm names its principal and roles, and ends at exp",
        arguments: [
            (TestIssuer.Kind.rsa(bits: 2048), ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]),
            (.rsa(bits: 3072), ["RS256"]), (.p256, ["ES256"]), (.p384, ["ES384"]), (.ed25519, ["EdDSA"]),
        ]
    )
    func algorithms(kind: TestIssuer.Kind, words: [String]) throws {
        let (issuer, other) = (try TestIssuer(kind), try TestIssuer(kind))
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        for word in words {
            let token = try issuer.token("{\(Self.good)}", by: word)
            #expect(policy.mayBeIssued(token))
            let claims = try policy.claims(of: token, at: Self.now)
            #expect(claims.name.text == "alice" && claims.roles == ["kiosk"] && claims.expiresAt == 1_800_000_300_000)
            let credentials = Credentials(token: TokenHash(of: token), claims: claims)
            let admission = try #require(policy.admits(credentials, at: 1_800_000_299_999))
            expect(admission.expiresAt == 1_800_000_300_000)
            #expect(admission.rights.allows(.read, try ChannelName("status/alice")))
            #expect(policy.admits(credentials, at: 1_800_000_300_000) == nil)
            #expect(policy.admits(Credentials(token: TokenHash(of: token)), at: Self.now) == nil)
            let forged = try other.token("{\(Self.good)}", by: word)
            Self.expectFault(forged, .signature, "not that of the key 'k1'", policy)
            for place in [token.count / 2, token.count - 8] {
                var changed = Array(token)
                changed[place] = changed[place] == "x" ? "y" : "x"
                #expect(Self.fault(String(changed), of: policy) != nil)
            }
        }
    }

    @Test(
        "Claims at fault are refused, each with its reason",
        arguments: [
            (#""iss":"https://id.lab""#, "", TokenFault.Kind.claim, "no 'iss'"),
            (#""iss":"https://id.lab""#, #""iss":1"#, .claim, "no 'iss'"),
            (#""iss":"https://id.lab""#, #""iss":"https://id.lab/""#, .issuer, "'https://id.lab/' of the JWT has no"),
            (#""aud":"racd""#, "", .claim, "no 'aud'"),
            (#""aud":"racd""#, #""aud":["racd",1]"#, .claim, "no 'aud' of texts"),
            (#""aud":"racd""#, #""aud":[]"#, .audience, "is for nobody"),
            (#""aud":"racd""#, #""aud":"other""#, .audience, "is for 'other', not for this racd"),
            (#""exp":1800000300"#, "", .claim, "no 'exp'"),
            (#""exp":1800000300"#, #""exp":"1800000300""#, .claim, "'exp' of the JWT is no number of seconds"),
            (#""exp":1800000300"#, #""exp":null"#, .claim, "'exp' of the JWT is no number of seconds"),
            (#""exp":1800000300"#, #""exp":-1"#, .claim, "'exp' of the JWT is no number of seconds"),
            (#""exp":1800000300"#, #""exp":1800000300000"#, .claim, "from 1970 to 9999"),
            (#""exp":1800000300"#, #""exp":99999999999999999999999999"#, .claim, "from 1970 to 9999"),
            (#""exp":1800000300"#, #""exp":1e308"#, .claim, "from 1970 to 9999"),
            (#""exp":1800000300"#, #""exp":1e999"#, .claim, "from 1970 to 9999"),
            (#""exp":1800000300"#, #""exp":1800000000"#, .expired, "over 0 seconds ago"),
            (#""exp":1800000300"#, #""exp":1799999940.5"#, .expired, "over 59 seconds ago"),
            (#""exp":1800000300"#, #""exp":0"#, .expired, "over 1800000000 seconds ago"),
            (
                #""sub""#, #""nbf":1800000061,"sub""#, .early,
                "'nbf' of the JWT is 61 seconds ahead, and the leeway is 6"
            ),
            (#""sub""#, #""iat":1800000100,"sub""#, .early, "'iat' of the JWT is 100 seconds ahead"),
            (#""sub""#, #""iat":{},"sub""#, .claim, "'iat' of the JWT is no number"),
            (#""sub":"alice""#, "", .claim, "no 'sub' with the principal's name"),
            (#""sub":"alice""#, #""sub":7"#, .claim, "no 'sub'"),
            (#""sub":"alice""#, #""sub":"a/b""#, .name, "the name 'a/b' of the JWT can be that of no principal"),
            (#""sub":"alice""#, #""sub":"*""#, .name, "'*'"),
            (#""sub":"alice""#, #""sub":"{user}""#, .name, "'{user}'"),
            (#""sub":"alice""#, #""sub":"anonymous""#, .name, "'anonymous'"),
            (#""sub":"alice""#, #""sub":"""#, .name, "''"),
            (#""sub":"alice""#, #""sub":"alice","sub":"root""#, .form, "the member 'sub' stands twice"),
            (#""sub":"alice""#, #""sub":"alice","s\u0075b":"root""#, .form, "the member 'sub' stands twice"),
            (#""roles":["kiosk"]"#, "", .claim, "no 'roles' with roles"),
            (#""roles":["kiosk"]"#, #""roles":{"kiosk":true}"#, .claim, "no 'roles' with roles"),
            (#""roles":["kiosk"]"#, #""roles":["kiosk",1]"#, .claim, "no 'roles' with roles"),
            (#""roles":["kiosk"]"#, #""roles":[]"#, .roles, "no role of the JWT has a table [[role]]"),
            (#""roles":["kiosk"]"#, #""roles":["offline_access"]"#, .roles, "no role of the JWT has a table"),
        ]
    )
    func claims(part: String, other: String, kind: TokenFault.Kind, words: String) throws {
        let issuer = try Self.issuer.get()
        let claims = "{\(Self.good)}".replacing(part, with: other).replacing("{,", with: "{").replacing(",,", with: ",")
            .replacing(",}", with: "}")
        Self.expectFault(try issuer.token(claims), kind, words, try Self.policy(TestIssuer.keySet(issuer)))
    }

    @Test(
        "Claims that differ in form alone are taken",
        arguments: [
            (#""aud":"racd""#, #""aud":["other","racd-test"]"#), (#""exp":1800000300"#, #""exp":1.8000003e9"#),
            (#""exp":1800000300"#, #""exp":253402300799"#), (#""exp":1800000300"#, #""exp":1800000000.001"#),
            (#""sub""#, #""nbf":1800000060,"iat":1700000000.25,"sub""#),
            (#""roles":["kiosk"]"#, #""roles":"openid kiosk""#),
            (#""roles":["kiosk"]"#, #""roles":["kiosk","kiosk","offline_access"]"#),
        ]
    )
    func forms(part: String, other: String) throws {
        let issuer = try Self.issuer.get()
        let claims = "{ \(Self.good) }".replacing(part, with: other)
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        expect(Self.fault(try issuer.token(claims), of: policy) == nil)
    }

    @Test(
        "A header at fault is refused with its reason",
        arguments: [
            (#"{"kid":"k1"}"#, TokenFault.Kind.algorithm, "no 'alg'"),
            (#"{"alg":"none","kid":"k1"}"#, .algorithm, "is 'none', not RS256, RS384"),
            (#"{"alg":"None","kid":"k1"}"#, .algorithm, "is 'None', not"),
            (#"{"alg":"HS256","kid":"k1"}"#, .algorithm, "is 'HS256', not"),
            (#"{"alg":"es256","kid":"k1"}"#, .algorithm, "is 'es256', not"),
            (#"{"alg":"RS256","kid":"k1"}"#, .key, "the key 'k1' of the JWT is not for RS256"),
            (#"{"alg":"ES384","kid":"k1"}"#, .key, "the key 'k1' of the JWT is not for ES384"),
            (#"{"alg":"ES256"}"#, .key, "no 'kid'"), (#"{"alg":"ES256","kid":1}"#, .key, "no 'kid'"),
            (#"{"alg":"ES256","kid":"k2"}"#, .key, "the key 'k2' of the JWT is not in the issuer's key set"),
            (#"{"alg":"ES256","kid":"k1","crit":["b64"],"b64":false}"#, .header, "has 'crit'"),
            (#"{"alg":"ES256","kid":"k1","typ":"logout+jwt"}"#, .header, "is 'logout+jwt': racd takes JWT and at+jwt"),
            (#"{"alg":"ES256","kid":"k1","typ":null}"#, .header, "is no text"),
            (#"{"alg":"none","alg":"ES256","kid":"k1"}"#, .form, "the member 'alg' stands twice"),
            (#"["ES256"]"#, .form, "the value is no object"), ("", .form, "ends too early"),
            (#"{"alg":"ES256","kid":"k1"} x"#, .form, "something follows"),
            (#"{"alg":"ES256","kid":"k1","x":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}"#, .form, "nested too deep"),
            ("{\"alg\":\"ES256\u{1}\"}", .form, "unexpected byte 0x1"),
        ]
    )
    func headers(header: String, kind: TokenFault.Kind, words: String) throws {
        let issuer = try Self.issuer.get()
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        Self.expectFault(try issuer.token(header: header, claims: "{\(Self.good)}"), kind, words, policy)
    }

    @Test("A token in another spelling, cut short, too long or without a signature is refused")
    func spelling() throws {
        let issuer = try Self.issuer.get()
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        let token = try issuer.token("{\(Self.good)}")
        let parts = token.split(separator: ".").map(String.init)
        Self.expectFault(
            "\(parts[0])=.\(parts[1]).\(parts[2])",
            .form,
            "the header of the JWT is not in base64url",
            policy
        )
        Self.expectFault(
            "\(parts[0]).\(parts[1])==.\(parts[2])",
            .form,
            "claims of the JWT is not in base64url",
            policy
        )
        Self.expectFault(
            "\(parts[0]).\(parts[1]).\(parts[2])==",
            .form,
            "signature of the JWT is not in base64url",
            policy
        )
        Self.expectFault("\(parts[0]).\(parts[1]).+/\(parts[2].dropFirst(2))", .form, "is not in base64url", policy)
        Self.expectFault("\(parts[0]).\(parts[1]). \(parts[2])", .form, "is not in base64url", policy)
        Self.expectFault("\(parts[0]).\(parts[1]).", .signature, "is not that of the key", policy)
        Self.expectFault(
            "\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))",
            .signature,
            "is not that of the key",
            policy
        )
        Self.expectFault("\(parts[0]).\(parts[1]).\(parts[2])AAAA", .signature, "is not that of the key", policy)
        let zeros = TestIssuer.text([UInt8](repeating: 0, count: 64))
        Self.expectFault("\(parts[0]).\(parts[1]).\(zeros)", .signature, "is not that of the key", policy)
        let long = try issuer.token("{\(Self.good),\"x\":\"\(String(repeating: "x", count: 1 << 20))\"}")
        Self.expectFault(long, .form, "more than 16384 bytes", policy)
        for other in ["", "..", "a", "a.b", "\(token).x", "rac_x"] {
            #expect(!policy.mayBeIssued(other) || Self.fault(other, of: policy)?.kind == .form)
        }
        #expect(try !AccessPolicy(roles: [], principals: []).mayBeIssued(token))
    }

    @Test("The last bits of a part have one spelling")
    func leftBits() throws {
        let issuer = try TestIssuer(.ed25519)
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        let token = try issuer.token("{\(Self.good)}")
        let last = try #require(token.last)
        // A signature of 64 bytes ends with a digit that has four bits to spare.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let place = try #require(digits.firstIndex(of: last))
        Self.expectFault(token.dropLast() + String(digits[place + 1]), .form, "is not in base64url", policy)
    }

    @Test("An issuer's table allows algorithms, and a key of the set may be for one of them alone")
    func allowed() throws {
        let issuer = try TestIssuer(.rsa(bits: 2048))
        let token = try issuer.token("{\(Self.good)}", by: "PS256")
        var terms = Self.terms
        terms.algorithms = [.rs256]
        let set = TestIssuer.keySet(issuer)
        Self.expectFault(token, .algorithm, "is 'PS256', not RS256", try Self.policy(set, terms))
        let own = "{\"keys\":[\(issuer.publicKey(#","alg":"RS256""#))]}"
        Self.expectFault(token, .key, "is not for PS256", try Self.policy(own))
        expect(Self.fault(try issuer.token("{\(Self.good)}"), of: try Self.policy(own, terms)) == nil)
    }

    @Test("Roles may lie in objects of the claims, and the name in another claim")
    func ways() throws {
        let issuer = try Self.issuer.get()
        var terms = Self.terms
        terms.rolesClaim = ["realm_access", "roles"]
        terms.nameClaim = "preferred_username"
        let policy = try Self.policy(TestIssuer.keySet(issuer), terms)
        let inner = #","realm_access":{"roles":["chief","uma"]},"preferred_username":"bob""#
        let claims = try policy.claims(of: try issuer.token("{\(Self.good)\(inner)}"), at: Self.now)
        #expect(claims.name.text == "bob" && claims.roles == ["chief", "uma"])
        let flat = try issuer.token(#"{\#(Self.good),"preferred_username":"bob","realm_access":["chief"]}"#)
        Self.expectFault(flat, .claim, "no 'realm_access.roles' with roles", policy)
    }

    @Test("The numbers of roles and audiences in a token are limited")
    func many() throws {
        let issuer = try Self.issuer.get()
        let policy = try Self.policy(TestIssuer.keySet(issuer))
        let words = (0..<257).map { "\"r\($0)\"" }.joined(separator: ",")
        let roles = "{\(Self.good)}".replacing(#"["kiosk"]"#, with: "[\(words)]")
        Self.expectFault(try issuer.token(roles), .claim, "more than 256 roles", policy)
        let audiences = "{\(Self.good)}".replacing(#""racd""#, with: "[\(words)]")
        Self.expectFault(try issuer.token(audiences), .claim, "more than 256 audiences", policy)
    }

    @Test("A name of the configuration is refused, so that a JWT gets no rights, channels or sessions of another's")
    func taken() throws {
        let issuer = try Self.issuer.get()
        let principal = Principal(name: try PrincipalName("alice"), roles: ["chief"], unixUsers: [7])
        let policy = try Self.policy(TestIssuer.keySet(issuer), principals: [principal])
        let token = try issuer.token("{\(Self.good)}")
        Self.expectFault(token, .name, "the name 'alice' of the JWT is taken", policy)
        let before = try Self.policy(TestIssuer.keySet(issuer)).claims(of: token, at: Self.now)
        #expect(policy.admits(Credentials(token: TokenHash(of: token), claims: before), at: Self.now) == nil)
        #expect(throws: TokenFault.self) { try policy.rights(of: try PrincipalName("alice"), with: ["kiosk"]) }
        expect(try policy.rights(of: PrincipalName("bob"), with: ["kiosk"]).principal.text == "bob")
    }

    @Test("A certificate comes first, and the hash of a token wins over its claims")
    func order() throws {
        let issuer = try Self.issuer.get()
        let token = try issuer.token("{\(Self.good)}")
        let hash = TokenHash(of: token)
        let principals = [
            Principal(name: try PrincipalName("cert"), roles: [], certificates: ["c"]),
            Principal(name: try PrincipalName("user"), roles: [], unixUsers: [7]),
        ]
        let policy = try Self.policy(TestIssuer.keySet(issuer), principals: principals)
        let claims = try policy.claims(of: token, at: Self.now)
        func name(_ credentials: Credentials) -> String? {
            policy.admits(credentials, at: Self.now)?.rights.principal.text
        }
        expect(name(Credentials(token: hash, claims: claims, certificate: "c", unixUser: 7)) == "cert")
        expect(name(Credentials(token: hash, claims: claims, certificate: "d", unixUser: 7)) == "alice")
        expect(name(Credentials(token: hash, unixUser: 7)) == nil)
    }
}

// MARK: Other rules

/// Claims that were read under earlier rules.
extension JWTTests {
    private func isKept(_ change: (inout IssuerTerms) -> Void, roles: [String] = ["kiosk"]) throws -> Bool {
        let issuer = try Self.issuer.get()
        let token = try issuer.token("{\(Self.good)}")
        let claims = try Self.policy(TestIssuer.keySet(issuer)).claims(of: token, at: Self.now)
        var terms = Self.terms
        change(&terms)
        let policy = try Self.policy(TestIssuer.keySet(issuer), terms, roles: roles)
        return policy.admits(Credentials(token: TokenHash(of: token), claims: claims), at: Self.now) != nil
    }

    @Test("Other terms keep a client whose token they would accept, and no other")
    func otherTerms() throws {
        #expect(try self.isKept { _ in })
        #expect(try self.isKept { $0.leeway = 0 })
        #expect(try self.isKept { $0.audiences = ["racd", "x"] })
        #expect(try self.isKept { $0.algorithms = [.es256] })
        #expect(try !self.isKept { $0.issuer = "https://other.lab" })
        #expect(try !self.isKept { $0.audiences = ["racd-test"] })
        #expect(try !self.isKept { $0.algorithms = [.rs256] })
        #expect(try !self.isKept { $0.nameClaim = "name" })
        #expect(try !self.isKept { $0.rolesClaim = ["scope"] })
        #expect(try !self.isKept({ _ in }, roles: ["chief"]))
    }

    @Test("A key that leaves the set takes its tokens with it, and another key of its name does not help")
    func otherKeys() throws {
        let (old, new, same) = (try TestIssuer(), try TestIssuer(id: "k2"), try TestIssuer())
        let token = try old.token("{\(Self.good)}")
        let claims = try Self.policy(TestIssuer.keySet(old)).claims(of: token, at: Self.now)
        let credentials = Credentials(token: TokenHash(of: token), claims: claims)
        func isKept(_ set: String) throws -> Bool { try Self.policy(set).admits(credentials, at: Self.now) != nil }
        #expect(try isKept(TestIssuer.keySet(new, old)))
        #expect(try !isKept(TestIssuer.keySet(new)))
        #expect(try !isKept(TestIssuer.keySet(same)))
    }
}

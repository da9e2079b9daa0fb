import Foundation

@testable import RacAccess

/// A text as the JWT of a client, and as the claims of one whose signature is good.
///
/// Only tokens that the issuer has signed are taken, and what is read of claims keeps the rules of names and times.
enum JWTTarget {
    private static let now: Int64 = 1_800_000_000_000

    static func run(_ input: [UInt8]) throws {
        try Self.checkSpelling(input)
        if let text = String(validating: input, as: UTF8.self) { try Self.checkToken(text) }
        try Self.checkClaims(input)
    }

    /// Base64url has one spelling of each sequence of bytes.
    private static func checkSpelling(_ input: [UInt8]) throws {
        guard let bytes = Base64URL.bytes(input) else { return }
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        guard text.replacing("=", with: "").utf8.elementsEqual(input) else { throw Finding("it is also \(text)") }
    }

    private static func checkToken(_ text: String) throws {
        let issuer = try Self.issuer()
        let policy = try AccessPolicy(roles: [AccessRole(name: "kiosk")], principals: [], issuers: [issuer])
        do throws(TokenFault) {
            let claims = try policy.claims(of: text, at: Self.now)
            let isSigned = Self.headers.contains { text.hasPrefix("\($0).\(Self.claims).") }
            guard isSigned, claims.name.text == "alice" else { throw TokenFault(.form, "") }
        } catch {
            try Self.check(error)
        }
    }

    private static func checkClaims(_ input: [UInt8]) throws {
        guard let members = try? JSONMembers(input) else { return }
        let issuer = try Self.issuer()
        guard let key = PublicKey(.ed25519, point: [UInt8](repeating: 1, count: 32)) else { return }
        do throws(TokenFault) {
            let claims = try issuer.read(members, .edDSA, key, at: Self.now)
            let isRight =
                claims.expiresAt > Self.now && Set(claims.roles).count == claims.roles.count
                && claims.roles.count <= 256 && (try? PrincipalName(claims.name.text)) != nil
            guard isRight else { throw TokenFault(.form, "") }
        } catch {
            try Self.check(error)
        }
    }

    private static func check(_ fault: TokenFault) throws {
        guard !fault.description.isEmpty else { throw Finding("a token is taken that is not to be taken") }
        guard fault.description.unicodeScalars.count < 400 else { throw Finding("the reason is \(fault)") }
    }

    private static func issuer() throws -> TokenIssuer {
        TokenIssuer(
            IssuerTerms(issuer: "https://id.lab", audiences: ["racd"], algorithms: JWTAlgorithm.allCases),
            keys: try Self.keys.get()
        )
    }

    /// The headers that the issuer has signed, each before the same claims.
    private static let headers = [("RS256", "r"), ("PS256", "r"), ("ES256", "e"), ("ES384", "f"), ("EdDSA", "d")].map {
        Self.text(#"{"alg":"\#($0)","kid":"\#($1)"}"#)
    }
    private static let claims = text(
        #"{"iss":"https://id.lab","aud":"racd","sub":"alice","roles":["kiosk"],"exp":253402300799}"#
    )

    private static func text(_ json: String) -> String {
        Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The keys by which the tokens in the corpus were signed; nobody has their private halves.
    private static let keys = Result { () throws(RuleError) in
        try JSONWebKeySet(
            """
            {"keys":[{"kid":"r","kty":"RSA","use":"sig","n":"t-ivsGC-1hZoli1MmM0_tHF2fxTIIHKAdVoouy6B-KrgzFibC5S\
            JjQuZZ-5ffcF7ZLlISyg4h2Z9RLZZbDhZAhKuuAQz6Ct9CogLNOXznqc9q5lOKBykFaXDwQkl-FbZM_IJqos8nnhpZ8h0JKTusrP\
            cJeua7mWMP-vvtAhpYTZzwTdVPPdRjHHHYv-2Ene_LWvlZCLwd44B6LIOY99LlOO7eGQC_jEyEcvdXGUpoc2mre-3tVkNAYB7crN\
            VpEKpnH_lbH1Dj0a8Ry2CWyBY08V403dQTfSUORE_CWY4biqrhiLMH5OjIrhPtaAAFPzF4Hf7oYnc42mIm5qxuSe2rw","e":"AQ\
            AB"},{"kid":"e","kty":"EC","crv":"P-256","x":"1Bmb9swxzbwWo2vWZa-_wS2m9qzS2U3yFETRLLD6S_M","y":"gnPm\
            1YdbTM0MpbtFB3XUGLJdBTpfE-FaD9cYy1fxBx0"},{"kid":"f","kty":"EC","crv":"P-384","x":"i5Zqv0LLI5M6EUrJD\
            h8AnNVN0sUi6wwWmSWlSO22V5Dg6dez9UMhKvQnkPjGFAIP","y":"LdACELpkCK9WOmbldXaJyXYVY9OVovCIAV81L7PVmN3D3J\
            nFOanMFVn-DEehzYX6"},{"kid":"d","kty":"OKP","crv":"Ed25519","x":"hlky5xWaB-8AnU0IIo_GtpFhYnAkPcL-U-M\
            ZBhlPsjU"}]}
            """
        )
    }
}

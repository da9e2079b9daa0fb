/// The claims of a JWT whose signature was found good; they hold no secret.
///
/// A connection keeps them, so that other rules can be applied to it without its token.
package struct TokenClaims: Sendable {
    /// The terms under which the claims were read.
    let terms: IssuerTerms
    let algorithm: JWTAlgorithm
    /// The key of the signature, as ``PublicKey`` identifies it.
    let key: [UInt8]
    let audiences: [String]
    package let name: PrincipalName
    /// The roles that the issuer has given, which the daemon need not know.
    package let roles: [String]
    /// The end of its time, in milliseconds since 1970 UTC.
    package let expiresAt: Int64
}

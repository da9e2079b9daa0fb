/// The proofs of a client's identity, as its connection brings them; they hold no secret.
package struct Credentials: Sendable {
    /// The hash of the token in its hello.
    package var token: TokenHash?
    /// The claims of that token, if it is a JWT whose signature was found good.
    package var claims: TokenClaims?
    /// The name in its verified certificate.
    package var certificate: String?
    /// The time for which that certificate counts; nil on the connection that has shown it, for whose whole life it does.
    package var certificateTerm: CertificateTerm?
    /// The user of the process at the other end of a Unix socket.
    package var unixUser: UInt64?

    package init(
        token: TokenHash? = nil,
        claims: TokenClaims? = nil,
        certificate: String? = nil,
        certificateTerm: CertificateTerm? = nil,
        unixUser: UInt64? = nil
    ) {
        self.token = token
        self.claims = claims
        self.certificate = certificate
        self.certificateTerm = certificateTerm
        self.unixUser = unixUser
    }
}

/// The proofs of a client's identity, as its connection brings them; they hold no secret.
package struct Credentials: Sendable {
    /// The hash of the token in its hello.
    package var token: TokenHash?
    /// The name in its verified certificate.
    package var certificate: String?
    /// The user of the process at the other end of a Unix socket.
    package var unixUser: UInt64?

    package init(token: TokenHash? = nil, certificate: String? = nil, unixUser: UInt64? = nil) {
        self.token = token
        self.certificate = certificate
        self.unixUser = unixUser
    }
}

/// The proofs of a client's identity, as its connection brings them.
package struct Credentials: Sendable {
    /// The token of its hello.
    package var token: String?
    /// The name in its verified certificate.
    package var certificate: String?
    /// The user of the process at the other end of a Unix socket.
    package var unixUser: UInt64?

    package init(token: String? = nil, certificate: String? = nil, unixUser: UInt64? = nil) {
        self.token = token
        self.certificate = certificate
        self.unixUser = unixUser
    }
}

/// The proof by which a connection was accepted, kept so that it can be judged anew.
///
/// It holds no secret.
package enum Identity: Hashable, Sendable {
    case certificate(String)
    case token(TokenHash)
    case unixUser(UInt64)
    case anonymous
}

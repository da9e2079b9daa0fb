/// The proof of who a client is.
package struct Credentials: Equatable, Sendable {
    package var user: String
    package var secret: String

    /// The only user that any server knows here; its secret protects nothing.
    package static let bench = Credentials(user: "bench", secret: "for-measurements-only")

    package init(user: String, secret: String) {
        self.user = user
        self.secret = secret
    }
}

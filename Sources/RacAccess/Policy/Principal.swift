/// A principal of the configuration: its name, its roles, and the proofs that stand for it.
package struct Principal: Hashable, Sendable {
    /// A token that stands for a principal, for a time.
    package struct Token: Hashable, Sendable {
        package var hash: TokenHash
        /// The end of its time, in milliseconds since 1970 UTC; nil if it has none.
        package var expiresAt: Int64?

        package init(hash: TokenHash, expiresAt: Int64? = nil) {
            self.hash = hash
            self.expiresAt = expiresAt
        }
    }

    package var name: PrincipalName
    package var roles: [String]
    package var tokens: [Token]
    /// The whole names in certificates: a URI, else a DNS name, else the common name.
    package var certificates: [String]
    package var unixUsers: [UInt64]

    package init(
        name: PrincipalName,
        roles: [String],
        tokens: [Token] = [],
        certificates: [String] = [],
        unixUsers: [UInt64] = []
    ) {
        self.name = name
        self.roles = roles
        self.tokens = tokens
        self.certificates = certificates
        self.unixUsers = unixUsers
    }
}

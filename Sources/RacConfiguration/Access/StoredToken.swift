package import RacAccess

/// A token as a token file keeps it: its hash, and whom it stands for.
package struct StoredToken: Hashable, Sendable {
    package let name: PrincipalName
    /// The roles; nil if the principal has its roles from the configuration file.
    package let roles: [String]?
    package let hash: TokenHash
    /// The time of its making, in milliseconds since 1970 UTC; nil if the file leaves it out.
    package let createdAt: Int64?
    /// The end of its time, in milliseconds since 1970 UTC; nil if it has none.
    package let expiresAt: Int64?

    package init(name: PrincipalName, roles: [String]?, hash: TokenHash, createdAt: Int64?, expiresAt: Int64?) {
        self.name = name
        self.roles = roles
        self.hash = hash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The name of the token itself: the first digits of its hash.
    package var id: String { String(self.hash.description.split(separator: ":").last?.prefix(12) ?? "") }

    /// The reason why the token is none of a principal with these roles: it names others.
    func disagreement(with roles: [String]) -> String? {
        guard let own = self.roles, Set(own.map(ExactText.init)) != Set(roles.map(ExactText.init)) else { return nil }
        let has = roles.isEmpty ? "no roles" : "the roles \(roles.joined(separator: ", "))"
        return "'\(self.name)' has \(has), and the token has \(own.joined(separator: ", "))"
    }
}

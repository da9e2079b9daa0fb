package import RacAccess

/// The roles and principals of a configuration file.
package struct AccessSettings: Sendable {
    package var roles: [AccessRole] = []
    package var principals: [Principal] = []
    /// The roles of clients that show nothing; empty if such clients are refused.
    package var anonymousRoles: [String] = []
    /// The path of the file that keeps tokens; nil if there is none.
    package var tokenFile: String?
    package var issuers: [IssuerSettings] = []

    package init() {}

    /// Whether the daemon asks each client who it is.
    package var isClosed: Bool {
        !self.principals.isEmpty || !self.anonymousRoles.isEmpty || self.tokenFile != nil || !self.issuers.isEmpty
    }

    /// The policy of these settings and of the files beside them; nil if the daemon is open.
    ///
    /// - Parameters:
    ///   - tokens: The tokens in the token file.
    ///   - keys: The key sets of issuers, by the paths of their files; one that is left out is empty.
    /// - Returns: The policy.
    /// - Throws: `RuleError`: a role that does not exist, a name given twice, or a proof of two principals.
    package func policy(
        with tokens: [StoredToken] = [],
        keys: [String: JSONWebKeySet] = [:]
    ) throws(RuleError) -> AccessPolicy? {
        guard self.isClosed else { return nil }
        let anonymous = self.anonymousRoles.isEmpty ? nil : self.anonymousRoles
        return try AccessPolicy(
            roles: self.roles,
            principals: self.standing(for: tokens).principals,
            anonymousRoles: anonymous,
            issuers: self.issuers.map { TokenIssuer($0.terms, keys: keys[$0.keyFile] ?? .empty) },
            reservedNames: Set(tokens.map(\.name))
        )
    }

    /// The principals of these settings and of a token file, and the tokens that stand for none, each with the reason.
    ///
    /// A token without roles has those of its principal in the file. A token at fault stands for nobody, and the others hold:
    /// one of them may have to be revoked.
    func standing(
        for tokens: [StoredToken]
    ) -> (principals: [Principal], idle: [(token: StoredToken, reason: String)]) {
        var principals = self.principals
        var idle: [(token: StoredToken, reason: String)] = []
        for token in tokens {
            let proof = Principal.Token(hash: token.hash, expiresAt: token.expiresAt)
            if let index = principals.firstIndex(where: { $0.name == token.name }) {
                if let reason = token.disagreement(with: principals[index].roles) {
                    idle.append((token, reason))
                } else {
                    principals[index].tokens.append(proof)
                }
            } else if let roles = token.roles {
                if let unknown = roles.first(where: { !self.roles.map(\.name).containsExactly($0) }) {
                    idle.append((token, "there is no role '\(unknown)' in the configuration file"))
                } else {
                    principals.append(Principal(name: token.name, roles: roles, tokens: [proof]))
                }
            } else {
                idle.append((token, "no [[principal]] has this name any more"))
            }
        }
        return (principals, idle)
    }
}

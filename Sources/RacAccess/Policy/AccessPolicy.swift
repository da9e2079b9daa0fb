/// The decision of a closed daemon about each client: its principal and rights, or none.
///
/// Isolation: immutable, so any thread may read it; a reload of the configuration makes another one.
///
/// Semantics: protocol.md, "Access".
package final class AccessPolicy: Sendable {
    /// A client that was accepted.
    package struct Admission: Sendable {
        package let rights: Rights
        /// The end of its time, in milliseconds since 1970 UTC; nil if it has none.
        package let expiresAt: Int64?
    }

    /// One proof of a principal.
    fileprivate enum Identity: Hashable, Sendable {
        case certificate(String)
        case token(TokenHash)
        case unixUser(UInt64)
        case anonymous
    }

    private struct Entry: Sendable {
        let rights: Rights
        var expiresAt: Int64?
    }

    private let entries: [Identity: Entry]
    private let rights: [PrincipalName: Rights]

    /// Works out the rights of all principals.
    ///
    /// - Parameters:
    ///   - roles: All roles.
    ///   - principals: All principals.
    ///   - anonymousRoles: The roles of clients that show nothing; nil if such clients are refused.
    /// - Throws: ``RuleError``: a role that does not exist, a name given twice, or a proof of two principals.
    package init(roles: [AccessRole], principals: [Principal], anonymousRoles: [String]? = nil) throws(RuleError) {
        var named: [String: AccessRole] = [:]
        for role in roles {
            guard named.updateValue(role, forKey: role.name) == nil else {
                throw RuleError("there are two roles '\(role.name)'")
            }
        }
        var allRights: [PrincipalName: Rights] = [:]
        var entries: [Identity: Entry] = [:]
        for principal in principals {
            let rights = Rights(
                of: principal.name,
                roles: try Self.roles(principal.roles, of: principal.name, in: named)
            )
            guard allRights.updateValue(rights, forKey: principal.name) == nil else {
                throw RuleError("there are two principals '\(principal.name)'")
            }
            for (identity, expiresAt) in principal.identities {
                let entry = Entry(rights: rights, expiresAt: expiresAt)
                if let other = entries.updateValue(entry, forKey: identity) {
                    throw RuleError(
                        "'\(other.rights.principal)' and '\(principal.name)' have the same \(identity.kind)"
                    )
                }
            }
        }
        if let anonymousRoles {
            let roles = try Self.roles(anonymousRoles, of: .anonymous, in: named)
            let rights = Rights(of: .anonymous, roles: roles)
            allRights[.anonymous] = rights
            entries[.anonymous] = Entry(rights: rights)
        }
        self.entries = entries
        self.rights = allRights
    }

    private static func roles(
        _ names: [String],
        of principal: PrincipalName,
        in roles: [String: AccessRole]
    ) throws(RuleError) -> [AccessRole] {
        var found: [AccessRole] = []
        for name in names {
            guard let role = roles[name] else {
                throw RuleError("'\(principal)' has the role '\(name)', which is not there")
            }
            found.append(role)
        }
        return found
    }

    /// Accepts a client by the first of its proofs that names a principal.
    ///
    /// A client with a token that is not known, or whose time is over, is refused whatever else it shows.
    ///
    /// - Parameters:
    ///   - credentials: The client's proofs.
    ///   - time: The present time, in milliseconds since 1970 UTC.
    /// - Returns: The principal's rights; nil if the client is refused.
    package func admits(_ credentials: Credentials, at time: Int64) -> Admission? {
        if let name = credentials.certificate, let admission = self.admits(.certificate(name), at: time) {
            return admission
        }
        if let token = credentials.token { return self.admits(.token(token), at: time) }
        if let user = credentials.unixUser, let admission = self.admits(.unixUser(user), at: time) { return admission }
        return self.admits(.anonymous, at: time)
    }

    private func admits(_ identity: Identity, at time: Int64) -> Admission? {
        guard let entry = self.entries[identity], entry.expiresAt.map({ time < $0 }) ?? true else { return nil }
        return Admission(rights: entry.rights, expiresAt: entry.expiresAt)
    }

    /// The rights of a principal of this name; nil if there is none.
    package func rights(of name: PrincipalName) -> Rights? { self.rights[name] }
}

extension Principal {
    fileprivate var identities: [(AccessPolicy.Identity, expiresAt: Int64?)] {
        self.tokens.map { (.token($0.hash), $0.expiresAt) } + self.certificates.map { (.certificate($0), nil) }
            + self.unixUsers.map { (.unixUser($0), nil) }
    }
}

extension AccessPolicy.Identity {
    fileprivate var kind: String {
        switch self {
        case .certificate: "certificate"
        case .token: "token"
        case .unixUser: "Unix user"
        case .anonymous: "name"
        }
    }
}

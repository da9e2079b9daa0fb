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
        /// The bytes of the name: characters that look alike are not the same.
        case certificate([UInt8])
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
    /// The names of principals that no issuer may speak for, though no proof of theirs holds now.
    private let reservedNames: Set<PrincipalName>
    private let roles: [ExactText: AccessRole]
    private let issuers: [ExactText: TokenIssuer]

    /// Works out the rights of all principals.
    ///
    /// - Parameters:
    ///   - roles: All roles.
    ///   - principals: All principals.
    ///   - anonymousRoles: The roles of clients that show nothing; nil if such clients are refused.
    ///   - issuers: The issuers whose JWTs name further principals.
    ///   - reservedNames: Further names that no JWT may have.
    /// - Throws: ``RuleError``: a role that does not exist, a name given twice, or a proof of two principals.
    package init(
        roles: [AccessRole],
        principals: [Principal],
        anonymousRoles: [String]? = nil,
        issuers: [TokenIssuer] = [],
        reservedNames: Set<PrincipalName> = []
    ) throws(RuleError) {
        var named: [ExactText: AccessRole] = [:]
        for role in roles {
            guard named.updateValue(role, forKey: ExactText(role.name)) == nil else {
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
        self.reservedNames = reservedNames
        self.roles = named
        self.issuers = try Self.named(issuers)
    }

    private static func named(_ issuers: [TokenIssuer]) throws(RuleError) -> [ExactText: TokenIssuer] {
        var named: [ExactText: TokenIssuer] = [:]
        for issuer in issuers {
            guard named.updateValue(issuer, forKey: ExactText(issuer.terms.issuer)) == nil else {
                throw RuleError("there are two issuers '\(issuer.terms.issuer)'")
            }
        }
        return named
    }

    private static func roles(
        _ names: [String],
        of principal: PrincipalName,
        in roles: [ExactText: AccessRole]
    ) throws(RuleError) -> [AccessRole] {
        var found: [AccessRole] = []
        for name in names {
            guard let role = roles[ExactText(name)] else {
                throw RuleError("'\(principal)' has the role '\(name)', which is not there")
            }
            found.append(role)
        }
        return found
    }

    /// Accepts a client by the first of its proofs that names a principal.
    ///
    /// A client with a token that is not known, or whose time is over, is refused whatever else it shows. So is a session of
    /// a certificate whose term is over.
    ///
    /// - Parameters:
    ///   - credentials: The client's proofs.
    ///   - time: The present time, in milliseconds since 1970 UTC.
    /// - Returns: The principal's rights; nil if the client is refused.
    package func admits(_ credentials: Credentials, at time: Int64) -> Admission? {
        var byToken: Admission?
        if let token = credentials.token {
            byToken = self.admits(.token(token), at: time)
            if byToken == nil, let claims = credentials.claims { byToken = try? self.admission(of: claims, at: time) }
            guard byToken != nil else { return nil }
        }
        if let name = credentials.certificate, let admission = self.admits(.certificate(Array(name.utf8)), at: time) {
            guard let term = credentials.certificateTerm else {
                // The client showed the token as well, so the end of its time holds.
                return Admission(rights: admission.rights, expiresAt: byToken?.expiresAt)
            }
            guard term.holds(at: time) else { return nil }
            return Admission(rights: admission.rights, expiresAt: min(byToken?.expiresAt ?? term.end, term.end))
        }
        if let byToken { return byToken }
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

// MARK: JWTs

extension AccessPolicy {
    /// Whether a token may be a JWT of an issuer, so that its signature is worth a look.
    package func mayBeIssued(_ token: String) -> Bool { !self.issuers.isEmpty && SignedToken.hasForm(token) }

    /// Checks a JWT: its signature, its claims, and whether its principal may be admitted.
    ///
    /// - Parameters:
    ///   - token: The token of a client, of which nothing can be relied on.
    ///   - time: The present time, in milliseconds since 1970 UTC.
    /// - Returns: The claims, which the policy admits now.
    /// - Throws: ``TokenFault``: the first reason to refuse the token.
    package func claims(of token: String, at time: Int64) throws(TokenFault) -> TokenClaims {
        let token = try SignedToken(token)
        guard let name = token.claims.string("iss") else { throw TokenFault(.claim, "the JWT has no 'iss'") }
        guard let issuer = self.issuers[ExactText(name)] else {
            throw TokenFault(.issuer, "the issuer \(TokenFault.shown(name)) of the JWT has no table [[jwt]]")
        }
        let claims = try issuer.claims(of: token, at: time)
        _ = try self.admission(of: claims, at: time)
        return claims
    }

    private func admission(of claims: TokenClaims, at time: Int64) throws(TokenFault) -> Admission {
        guard time < claims.expiresAt else { throw TokenFault(.expired, "the time of the JWT is over") }
        guard let issuer = self.issuers[ExactText(claims.terms.issuer)], issuer.standsFor(claims) else {
            throw TokenFault(.issuer, "the issuer does not stand for the JWT any more")
        }
        return Admission(rights: try self.rights(of: claims.name, with: claims.roles), expiresAt: claims.expiresAt)
    }

    /// The rights of a principal that a JWT names, by those of its roles that are there.
    ///
    /// A name of the configuration, or of the token file, is refused: an issuer must not speak for that principal.
    ///
    /// - Throws: ``TokenFault``: the name is taken, or no role is there.
    package func rights(of name: PrincipalName, with roles: [String]) throws(TokenFault) -> Rights {
        guard self.rights[name] == nil, !self.reservedNames.contains(name) else {
            let help = "a [[principal]], or a token of the token file, has it already"
            throw TokenFault(.name, "the name \(TokenFault.shown(name.text)) of the JWT is taken: \(help)")
        }
        let roles = roles.compactMap { self.roles[ExactText($0)] }
        guard !roles.isEmpty else { throw TokenFault(.roles, "no role of the JWT has a table [[role]]") }
        return Rights(of: name, roles: roles)
    }
}

extension Principal {
    fileprivate var identities: [(AccessPolicy.Identity, expiresAt: Int64?)] {
        self.tokens.map { (.token($0.hash), $0.expiresAt) }
            + self.certificates.map { (.certificate(Array($0.utf8)), nil) }
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

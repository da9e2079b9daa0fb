/// An issuer of JWTs, with its keys: judges its tokens.
package struct TokenIssuer: Sendable {
    /// The limit of roles, and of audiences, that a token may name.
    private static let limit = 256

    package let terms: IssuerTerms
    private let keys: JSONWebKeySet

    package init(_ terms: IssuerTerms, keys: JSONWebKeySet) {
        self.terms = terms
        self.keys = keys
    }

    /// Checks the signature of a token, and then its claims.
    func claims(of token: SignedToken, at time: Int64) throws(TokenFault) -> TokenClaims {
        let algorithm = try self.algorithm(of: token)
        let key = try self.key(of: token, for: algorithm)
        guard key.key.hasSigned(token.signed, token.signature, by: algorithm) else {
            throw TokenFault(.signature, "the signature of the JWT is not that of the key \(TokenFault.shown(key.id))")
        }
        return try self.read(token.claims, algorithm, key.key, at: time)
    }

    /// Checks claims whose signature is good.
    func read(
        _ claims: JSONMembers,
        _ algorithm: JWTAlgorithm,
        _ key: PublicKey,
        at time: Int64
    ) throws(TokenFault) -> TokenClaims {
        try self.checkTimes(claims, at: time)
        return TokenClaims(
            terms: self.terms,
            algorithm: algorithm,
            key: key.encoded,
            audiences: try self.audiences(claims),
            name: try self.name(claims),
            roles: try self.roles(claims),
            expiresAt: try Self.moment("exp", of: claims)
        )
    }

    /// Whether the issuer stands for claims that were read under earlier terms, or by earlier keys.
    func standsFor(_ claims: TokenClaims) -> Bool {
        let (old, now) = (claims.terms, self.terms)
        return old.issuer == now.issuer && old.nameClaim == now.nameClaim && old.rolesClaim == now.rolesClaim
            && now.algorithms.contains(claims.algorithm)
            && claims.audiences.contains(where: now.audiences.containsExactly)
            && self.keys.has(claims.key, for: claims.algorithm)
    }
}

// MARK: The signature

extension TokenIssuer {
    private func algorithm(of token: SignedToken) throws(TokenFault) -> JWTAlgorithm {
        guard let word = token.header.string("alg") else {
            throw TokenFault(.algorithm, "the header of the JWT has no 'alg'")
        }
        guard let algorithm = JWTAlgorithm(rawValue: word), self.terms.algorithms.contains(algorithm) else {
            let allowed = self.terms.algorithms.map(\.rawValue).joined(separator: ", ")
            throw TokenFault(.algorithm, "the algorithm of the JWT is \(TokenFault.shown(word)), not \(allowed)")
        }
        return algorithm
    }

    private func key(of token: SignedToken, for algorithm: JWTAlgorithm) throws(TokenFault) -> JSONWebKey {
        guard let id = token.header.string("kid") else {
            throw TokenFault(.key, "the header of the JWT has no 'kid', which names its key")
        }
        guard let key = self.keys[id] else {
            throw TokenFault(.key, "the key \(TokenFault.shown(id)) of the JWT is not in the issuer's key set")
        }
        guard key.key.kind == algorithm.kind, key.algorithm ?? algorithm == algorithm else {
            throw TokenFault(.key, "the key \(TokenFault.shown(id)) of the JWT is not for \(algorithm.rawValue)")
        }
        return key
    }
}

// MARK: The claims

extension TokenIssuer {
    private static func moment(_ name: String, of claims: JSONMembers) throws(TokenFault) -> Int64 {
        guard claims.has(name) else { throw TokenFault(.claim, "the JWT has no '\(name)'") }
        guard let moment = claims.moment(name) else {
            throw TokenFault(.claim, "the claim '\(name)' of the JWT is no number of seconds from 1970 to 9999")
        }
        return moment
    }

    private func checkTimes(_ claims: JSONMembers, at time: Int64) throws(TokenFault) {
        let end = try Self.moment("exp", of: claims)
        guard time < end else {
            throw TokenFault(.expired, "the time of the JWT was over \((time - end) / 1000) seconds ago")
        }
        for name in ["nbf", "iat"] where claims.has(name) {
            let ahead = try Self.moment(name, of: claims) - time
            guard ahead > self.terms.leeway else { continue }
            let leeway = "the leeway is \(self.terms.leeway / 1000)"
            throw TokenFault(.early, "the claim '\(name)' of the JWT is \(ahead / 1000) seconds ahead, and \(leeway)")
        }
    }

    private func audiences(_ claims: JSONMembers) throws(TokenFault) -> [String] {
        guard let audiences = claims.strings("aud") ?? claims.string("aud").map({ [$0] }) else {
            throw TokenFault(.claim, "the JWT has no 'aud' of texts")
        }
        guard audiences.count <= Self.limit else {
            throw TokenFault(.claim, "the JWT has more than \(Self.limit) audiences")
        }
        guard audiences.contains(where: self.terms.audiences.containsExactly) else {
            let first = audiences.first.map(TokenFault.shown) ?? "nobody"
            throw TokenFault(.audience, "the JWT is for \(first), not for this racd")
        }
        return audiences
    }

    private func name(_ claims: JSONMembers) throws(TokenFault) -> PrincipalName {
        guard let text = claims.string(self.terms.nameClaim) else {
            throw TokenFault(.claim, "the JWT has no '\(self.terms.nameClaim)' with the principal's name")
        }
        guard let name = try? PrincipalName(text) else {
            throw TokenFault(.name, "the name \(TokenFault.shown(text)) of the JWT can be that of no principal")
        }
        return name
    }

    private func roles(_ claims: JSONMembers) throws(TokenFault) -> [String] {
        let way = self.terms.rolesClaim.joined(separator: ".")
        guard let roles = self.foundRoles(claims) else {
            throw TokenFault(.claim, "the JWT has no '\(way)' with roles: an array of texts, or a text with spaces")
        }
        guard roles.count <= Self.limit else {
            throw TokenFault(.claim, "the JWT has more than \(Self.limit) roles in '\(way)'")
        }
        var known: Set<ExactText> = []
        return roles.filter { known.insert(ExactText($0)).inserted }
    }

    private func foundRoles(_ claims: JSONMembers) -> [String]? {
        guard let last = self.terms.rolesClaim.last else { return nil }
        var members = claims
        for name in self.terms.rolesClaim.dropLast() {
            guard let inner = try? members.object(name) else { return nil }
            members = inner
        }
        return members.strings(last) ?? members.string(last).map { $0.split(separator: " ").map(String.init) }
    }
}

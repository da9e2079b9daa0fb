package import RacAccess

/// The rules of a closed daemon: the principals that it knows, each with its rights.
package struct RulesPlan: Hashable, Codable, Sendable {
    package var principals: [PrincipalPlan]

    /// The rules of a principal; nil if the daemon does not know it.
    func principal(_ name: String?) -> PrincipalPlan? { self.principals.first { $0.name == name } }

    /// Rules that grant everything to the same principals.
    fileprivate var generous: RulesPlan {
        let all = Verb.allCases.map { PrincipalPlan.Grant(verb: $0, pattern: "**") }
        return RulesPlan(principals: self.principals.map { PrincipalPlan(name: $0.name, grants: all, denied: []) })
    }
}

/// The rights of one principal.
package struct PrincipalPlan: Hashable, Codable, Sendable {
    package struct Grant: Hashable, Codable, Sendable {
        package var verb: Verb
        package var pattern: String
    }

    package var name: String
    package var grants: [Grant]
    package var denied: [String]

    /// The token by which the daemon knows a principal.
    static func token(of name: String) -> String { "token-of-\(name)" }
}

/// Rules with the policy that a daemon makes of them.
struct RulesInForce {
    let rules: RulesPlan
    let policy: AccessPolicy

    /// Makes the policy.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - grantsAll: Whether the policy grants everything to everybody, as a mistake on purpose.
    /// - Throws: ``RuleError``: a name or a pattern that is none.
    init(_ rules: RulesPlan, grantsAll: Bool) throws(RuleError) {
        self.rules = rules
        self.policy = try Self.policy(grantsAll ? rules.generous : rules)
    }

    private static func policy(_ rules: RulesPlan) throws(RuleError) -> AccessPolicy {
        var roles: [AccessRole] = []
        var principals: [Principal] = []
        for plan in rules.principals {
            var role = AccessRole(name: plan.name)
            for grant in plan.grants { role.grants[grant.verb, default: []].append(try RulePattern(grant.pattern)) }
            for pattern in plan.denied { role.denied.append(try RulePattern(pattern)) }
            roles.append(role)
            let token = Principal.Token(hash: TokenHash(of: PrincipalPlan.token(of: plan.name)))
            principals.append(Principal(name: try PrincipalName(plan.name), roles: [plan.name], tokens: [token]))
        }
        return try AccessPolicy(roles: roles, principals: principals)
    }
}

import RacAccess

/// The rules of a test: a principal for each name, whose token is its name and whose role has these patterns.
struct Rules {
    private var roles: [AccessRole] = []
    private var principals: [Principal] = []

    /// Adds a principal with a role of its own; its token is its name unless another one is given.
    mutating func add(
        _ name: String,
        _ grants: [Verb: [String]],
        denied: [String] = [],
        isAdministrator: Bool = false,
        expiresAt: Int64? = nil,
        bounds: [RoleBound: Int] = [:],
        token text: String? = nil
    ) throws {
        var own = RoleBounds()
        for (bound, number) in bounds { own[bound] = number }
        let role = AccessRole(
            name: "of \(name)",
            grants: try grants.mapValues { try $0.map { text in try RulePattern(text) } },
            denied: try denied.map { text in try RulePattern(text) },
            isAdministrator: isAdministrator,
            bounds: own
        )
        self.roles.append(role)
        let token = Principal.Token(hash: TokenHash(of: text ?? name), expiresAt: expiresAt)
        self.principals.append(Principal(name: try PrincipalName(name), roles: [role.name], tokens: [token]))
    }

    /// Adds a principal that may do everything.
    mutating func addRoot() throws {
        let all = Dictionary(uniqueKeysWithValues: Verb.allCases.map { ($0, ["**"]) })
        try self.add("root", all, isAdministrator: true)
    }

    func policy() throws -> AccessPolicy { try AccessPolicy(roles: self.roles, principals: self.principals) }
}

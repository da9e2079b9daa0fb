/// A named set of rules: the grants of each verb, names that the role denies for all verbs, and bounds.
///
/// Semantics: protocol.md, "Access".
package struct AccessRole: Hashable, Sendable {
    package let name: String
    package var grants: [Verb: [RulePattern]]
    /// The names that no role of the principal can grant.
    package var denied: [RulePattern]
    /// Whether the role is that of an administrator, who reads the daemon's own channels.
    package var isAdministrator: Bool
    /// The bounds on each client with the role.
    package var bounds: RoleBounds

    /// Makes a role; `grants` has no patterns for ``Verb/admin``, which needs none.
    package init(
        name: String,
        grants: [Verb: [RulePattern]] = [:],
        denied: [RulePattern] = [],
        isAdministrator: Bool = false,
        bounds: RoleBounds = RoleBounds()
    ) {
        self.name = name
        self.grants = grants
        self.denied = denied
        self.isAdministrator = isAdministrator
        self.bounds = bounds
    }
}

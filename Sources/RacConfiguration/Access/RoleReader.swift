import RacAccess

/// Reads a table `[[role]]`, and notes rules that can never apply.
struct RoleReader {
    /// The verbs that are granted by patterns; ``Verb/admin`` needs none.
    private static let verbs = Verb.allCases.filter { $0 != .admin }
    private static let deny = "deny"

    func read(_ table: TableReader) -> AccessRole? {
        var table = table
        table.require("name")
        let name = table.string("name")
        let denied = table.strings(Self.deny, as: RulePattern.init) ?? []
        var grants: [Verb: [RulePattern]] = [:]
        for verb in Self.verbs {
            guard let patterns = table.strings(verb.rawValue, as: RulePattern.init) else { continue }
            grants[verb] = patterns
            self.check(patterns, of: verb, against: denied, in: table)
        }
        let isAdministrator = table.boolean(Verb.admin.rawValue) ?? false
        var bounds = RoleBounds()
        for bound in RoleBound.allCases { bounds[bound] = table.integer(bound.rawValue, in: bound.range) }
        table.end()
        return name.map {
            AccessRole(
                name: $0,
                grants: grants,
                denied: denied,
                isAdministrator: isAdministrator,
                bounds: bounds
            )
        }
    }

    private func check(_ patterns: [RulePattern], of verb: Verb, against denied: [RulePattern], in table: TableReader) {
        for pattern in patterns {
            if verb != .read, pattern.text.hasPrefix("$") {
                table.fault("'\(pattern)' never applies: names that begin with $ can only be read", of: verb.rawValue)
            }
            if let denial = denied.first(where: { $0.covers(pattern) }) {
                table.fault("'\(pattern)' never applies: deny has '\(denial)', and a denial wins", of: verb.rawValue)
            }
        }
    }
}

package import RacProtocol

/// The rules of one principal, with its name in their patterns, and the bounds of its roles.
///
/// A denial wins over every grant; otherwise the order of rules means nothing. Nothing is granted by default.
///
/// Isolation: immutable, so any thread may read it.
///
/// Semantics: protocol.md, "Access".
package final class Rights: Sendable {
    fileprivate struct Rule: Hashable, Sendable {
        let role: String
        let written: String
        let pattern: ChannelPattern

        init?(_ pattern: RulePattern, of role: AccessRole, for principal: PrincipalName) {
            guard let resolved = pattern.resolved(for: principal) else { return nil }
            self.role = role.name
            self.written = pattern.text
            self.pattern = resolved
        }
    }

    /// The rules that decide what a principal may read: principals with equal ones may read the same names.
    package struct Sight: Hashable, Sendable {
        private let granted: [ChannelPattern]
        private let denied: [ChannelPattern]
        private let isAdministrator: Bool

        fileprivate init(granted: [Rule], denied: [Rule], isAdministrator: Bool) {
            self.granted = granted.map(\.pattern)
            self.denied = denied.map(\.pattern)
            self.isAdministrator = isAdministrator
        }
    }

    private static let ownNames = "$**"

    /// The principal that the rules are of.
    package let principal: PrincipalName

    /// The principal as the writer of channels.
    package let author: Author

    /// The number of rules that a verdict may look at.
    package let ruleCount: Int

    /// The bounds of its roles.
    package let bounds: RoleBounds

    /// The part of the rules that is about reading.
    package let sight: Sight

    private let grants: [Verb: [Rule]]
    private let denials: [Rule]
    private let administrator: AccessRole?

    /// Works out the rules of a principal with these roles.
    ///
    /// A denial whose pattern gets too long by the principal's name cannot be looked at: then no role grants anything.
    package init(of principal: PrincipalName, roles: [AccessRole]) {
        let denials = roles.flatMap { role in role.denied.map { Rule($0, of: role, for: principal) } }
        let granting = denials.contains(nil) ? [] : roles
        func grants(_ verb: Verb) -> [Rule] {
            granting.flatMap { role in (role.grants[verb] ?? []).compactMap { Rule($0, of: role, for: principal) } }
        }
        self.principal = principal
        self.author = Author(principal.text)
        self.grants = Dictionary(uniqueKeysWithValues: Verb.allCases.map { ($0, grants($0)) })
        self.denials = denials.compactMap(\.self)
        self.administrator = granting.first(where: \.isAdministrator)
        self.sight = Sight(
            granted: self.grants[.read, default: []],
            denied: self.denials,
            isAdministrator: self.administrator != nil
        )
        self.bounds = RoleBounds(of: roles)
        self.ruleCount = self.denials.count + (self.grants.values.map(\.count).max() ?? 0)
    }

    /// Whether the principal is an administrator.
    package var isAdministrator: Bool { self.administrator != nil }

    /// Whether the principal may read every name but the daemon's own, so that its watches need no filter.
    package var readsAll: Bool {
        self.denials.isEmpty && self.grants[.read, default: []].contains { $0.pattern == .all }
    }

    /// Whether the principal may do something with a channel.
    package func allows(_ verb: Verb, _ name: ChannelName) -> Bool {
        self.verdict(verb, name).isGranted
    }

    /// Whether the principal may do something with a command.
    package func allows(_ verb: Verb, _ command: CommandName) -> Bool {
        self.allows(verb, command.name)
    }

    /// The verdict on a channel, or on a command of that name, with its rule.
    package func verdict(_ verb: Verb, _ name: ChannelName) -> Verdict {
        if let denial = self.denials.first(where: { $0.pattern.matches(name) }) {
            return .denied(role: denial.role, pattern: denial.written)
        }
        if let grant = self.grants[verb, default: []].first(where: { $0.pattern.matches(name) }) {
            return .granted(role: grant.role, pattern: grant.written)
        }
        if let administrator, verb == .admin || (verb == .read && name.isReserved) {
            return .granted(role: administrator.name, pattern: Self.ownNames)
        }
        return .notGranted
    }

    /// The verdict on acts that take ``Verb/admin`` and concern no name.
    package var administration: Verdict {
        self.administrator.map { .granted(role: $0.name, pattern: "admin = true") } ?? .notGranted
    }
}

extension Rights: Equatable {
    /// Whether both have the same principal, the same rules and the same bounds.
    package static func == (one: Rights, other: Rights) -> Bool {
        one === other
            || (one.principal == other.principal && one.grants == other.grants && one.denials == other.denials
                && one.administrator?.name == other.administrator?.name && one.bounds == other.bounds)
    }
}

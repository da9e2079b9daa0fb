import RacAccess
import RacProtocol

/// The rights of one connection, from its welcome to the present.
struct RightsWitness {
    private let isClosed: Bool
    /// Nil if the daemon does not know the principal any more, or is open.
    private var present: PrincipalPlan?
    /// The rules before, each with the newest revision while it was in force.
    private var earlier: [(rules: PrincipalPlan, newest: Revision)] = []

    /// The rights of a connection to a daemon with these rules; to an open daemon without any.
    init(_ rules: RulesPlan?, of principal: String?) {
        self.isClosed = rules != nil
        self.present = rules?.principal(principal)
    }

    /// Whether the daemon does not know the client's principal.
    var isTurnedAway: Bool { self.isClosed && self.present == nil }

    func allows(_ verb: Verb, _ name: String) -> Bool {
        !self.isClosed || self.present?.allows(verb, name) ?? false
    }

    func allows(_ verb: Verb, _ name: ChannelName) -> Bool { self.allows(verb, name.text) }

    func allows(_ request: Request) -> Bool { !self.isClosed || self.present?.allows(request) ?? false }

    /// Whether all rules of the connection have allowed it.
    func hasAlwaysAllowed(_ verb: Verb, _ name: String) -> Bool {
        self.allows(verb, name) && self.earlier.allSatisfy { $0.rules.allows(verb, name) }
    }

    /// Other rules are in force for the connection.
    mutating func judged(_ rules: PrincipalPlan?, newest: Revision) {
        if let present { self.earlier.append((present, newest)) }
        self.present = rules
    }

    /// The newest revision of a channel that the client may have been sent with this verb.
    func newest(_ verb: Verb, _ name: ChannelName) -> Revision {
        guard !self.allows(verb, name) else { return Revision(.max) }
        return self.earlier.last { $0.rules.allows(verb, name.text) }?.newest ?? .never
    }
}

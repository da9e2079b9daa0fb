import RacAccess
import RacProtocol
import RacTesting

/// Makes up the rules of a closed daemon, and their changes.
struct RulesMaker {
    private static let names = ["desk", "kiosk", "panel"]
    /// The principal of links, whose rights always stand: without them linked channels would come to no rest.
    private static let link = "link"
    private static let verbs: [Verb] = [.read, .write, .lead, .manage, .exec, .observe, .host]

    private var random: SeededRandom
    private var principals: [String] = []
    private var patterns: [String] = []

    init(_ random: SeededRandom) {
        self.random = random
    }

    /// Closes the daemon of a plan: its clients get principals, and the rules change between its steps.
    mutating func close(_ plan: inout Plan) {
        self.patterns = plan.channels.map(\.name.text) + plan.commands.map(\.name.text)
        self.patterns += ["**", "*", "link/**", "room/*", "{user}"]
        self.principals = Array(Self.names.prefix(Int.random(in: 1...3, using: &self.random)))
        for index in plan.clients.indices {
            let isLink = plan.clients[index].isLink
            plan.clients[index].principal = isLink ? Self.link : self.principals.randomElement(using: &self.random)
        }
        plan.rules = self.rules(everybody: true)
        let last = plan.steps.map(\.number).max() ?? 0
        for change in 1...1 + plan.steps.count / 12 {
            let place = Int.random(in: 0...plan.steps.count, using: &self.random)
            let at = place < plan.steps.count ? plan.steps[place].at : plan.steps.last?.end ?? 100_000
            let step = Step(number: last + change, at: at, action: .rules(self.rules(everybody: false)))
            plan.steps.insert(step, at: place)
        }
    }

    /// Rules for all principals, or for most of them.
    private mutating func rules(everybody: Bool) -> RulesPlan {
        var known: [PrincipalPlan] = []
        for name in self.principals where everybody || !self.random.once(in: 6) {
            known.append(self.principal(name))
        }
        let all = Self.verbs.map { PrincipalPlan.Grant(verb: $0, pattern: "**") }
        return RulesPlan(principals: known + [PrincipalPlan(name: Self.link, grants: all, denied: [])])
    }

    private mutating func principal(_ name: String) -> PrincipalPlan {
        var principal = PrincipalPlan(name: name, grants: [], denied: [])
        for verb in Self.verbs {
            switch Int.random(in: 0..<6, using: &self.random) {
            case 0: break
            case 1, 2:
                for _ in 0..<Int.random(in: 1...3, using: &self.random) {
                    principal.grants.append(PrincipalPlan.Grant(verb: verb, pattern: self.pattern()))
                }
            default: principal.grants.append(PrincipalPlan.Grant(verb: verb, pattern: "**"))
            }
        }
        if self.random.once(in: 4) { principal.denied.append(self.pattern()) }
        return principal
    }

    private mutating func pattern() -> String { self.patterns.randomElement(using: &self.random) ?? "**" }
}

import RacAccess
import RacStore

extension History {
    /// A shorter history that breaks the same rule; this one if it breaks none.
    ///
    /// Delta debugging leaves parts out, large ones first, as long as the history breaks the rule.
    package func shrunk(attempts: Int = 3_000) -> History {
        guard let violation = self.violation else { return self }
        var shrinking = Shrinking(self, breaking: violation.rule, attempts: attempts)
        return shrinking.shortest()
    }
}

/// The search for a shorter history.
private struct Shrinking {
    private var best: History
    private let rule: Rule
    private var attemptsLeft: Int

    init(_ history: History, breaking rule: Rule, attempts: Int) {
        self.best = history
        self.rule = rule
        self.attemptsLeft = attempts
    }

    mutating func shortest() -> History {
        var size = -1
        while self.attemptsLeft > 0, size != self.size {
            size = self.size
            self.leaveOutSteps()
            self.leaveOutClients()
            self.simplify()
        }
        return self.best
    }

    private var size: Int { self.best.plan.steps.count + self.best.plan.clients.count(where: \.isPresent) }

    /// Takes a plan that still breaks the rule.
    private mutating func take(_ plan: Plan) -> Bool {
        guard self.attemptsLeft > 0, plan != self.best.plan else { return false }
        self.attemptsLeft -= 1
        let history = History(plan, sabotage: self.best.sabotage)
        guard history.violation?.rule == self.rule else { return false }
        self.best = history
        return true
    }

    private mutating func leaveOutSteps() {
        var length = max(1, self.best.plan.steps.count / 2)
        while length > 0, self.attemptsLeft > 0 {
            var start = 0
            while start < self.best.plan.steps.count {
                var plan = self.best.plan
                plan.steps.removeSubrange(start..<min(start + length, plan.steps.count))
                if !self.take(plan) { start += length }
            }
            length /= 2
        }
    }

    private mutating func leaveOutClients() {
        for client in self.best.plan.clients.indices where self.best.plan.clients[client].isPresent {
            var plan = self.best.plan
            plan.clients[client].isPresent = false
            _ = self.take(plan)
        }
    }

    /// Removes details that make the plan hard to read.
    private mutating func simplify() {
        let simplifications: [(inout Plan) -> Void] = [
            { $0.weather.longestDelay = 0 }, { $0.weather.longestTick = 0 }, { $0.weather.longestCommit = 0 },
            { $0.weather.window = 64 << 10 }, { $0.weather.queuedBytes = 1 << 20 }, { $0.weather.durability = .full },
            { $0.weather.revisionBlock = 1_000_000 }, { $0.weather.bounds = Bounds() },
            { $0.weather.longestValue = nil },
        ]
        for simplify in simplifications {
            var plan = self.best.plan
            simplify(&plan)
            _ = self.take(plan)
        }
        for client in self.best.plan.clients.indices { self.simplify(client) }
        self.simplifyRules()
    }

    /// Opens the daemon, or grants what need not be forbidden.
    private mutating func simplifyRules() {
        guard let rules = self.best.plan.rules else { return }
        var plan = self.best.plan
        plan.rules = nil
        plan.steps.removeAll { if case .rules = $0.action { true } else { false } }
        _ = self.take(plan)
        for principal in rules.principals {
            self.simplify(principal.name) { plan, simpler in plan.rules?.replace(simpler) }
        }
        for step in self.best.plan.steps.indices {
            guard case .rules(let rules) = self.best.plan.steps[step].action else { continue }
            for principal in rules.principals {
                self.simplify(principal.name) { plan, simpler in
                    guard case .rules(var rules) = plan.steps[step].action else { return }
                    rules.replace(simpler)
                    plan.steps[step].action = .rules(rules)
                }
            }
        }
    }

    /// Gives a principal all rights but those of one verb, in one set of rules.
    private mutating func simplify(_ principal: String, _ replace: (inout Plan, PrincipalPlan) -> Void) {
        for simpler in PrincipalPlan.simple(principal) {
            var plan = self.best.plan
            replace(&plan, simpler)
            if self.take(plan) { return }
        }
    }

    private mutating func simplify(_ client: Int) {
        var plan = self.best.plan
        plan.clients[client].watches = false
        plan.clients[client].framing = .plain
        _ = self.take(plan)
        for terminal in plan.clients[client].terminals.indices {
            var plan = self.best.plan
            plan.clients[client].terminals[terminal].will = nil
            plan.clients[client].terminals[terminal].interval = nil
            plan.clients[client].terminals[terminal].hasDefault = false
            plan.clients[client].terminals[terminal].replays = nil
            _ = self.take(plan)
        }
    }
}

extension RulesPlan {
    fileprivate mutating func replace(_ principal: PrincipalPlan) {
        for place in self.principals.indices where self.principals[place].name == principal.name {
            self.principals[place] = principal
        }
    }
}

extension PrincipalPlan {
    /// A principal with all rights, then with all but one, then without any.
    fileprivate static func simple(_ name: String) -> [PrincipalPlan] {
        let all = Verb.allCases.map { Grant(verb: $0, pattern: "**") }
        let without = Verb.allCases.map { verb in all.filter { $0.verb != verb } }
        return ([all] + without + [[]]).map { PrincipalPlan(name: name, grants: $0, denied: []) }
    }
}

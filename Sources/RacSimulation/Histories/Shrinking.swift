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

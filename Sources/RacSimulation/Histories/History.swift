/// One history from beginning to end.
package struct History: Sendable {
    package let plan: Plan
    package let sabotage: Sabotage?
    /// The first promise that was broken.
    package let violation: Violation?

    /// Makes a history from a seed and runs it.
    ///
    /// - Parameters:
    ///   - seed: The seed of all choices.
    ///   - steps: The number of steps, without changes of rules.
    ///   - isClosed: Whether the daemon has rules in any case.
    ///   - sabotage: A mistake on purpose.
    package init(seed: UInt64, steps: Int, isClosed: Bool = false, sabotage: Sabotage? = nil) {
        var maker = PlanMaker(seed: seed)
        self.init(maker.plan(steps: steps, isClosed: isClosed), sabotage: sabotage)
    }

    /// Runs a plan.
    package init(_ plan: Plan, sabotage: Sabotage? = nil) {
        self.plan = plan
        self.sabotage = sabotage
        self.violation = World(plan, .simulated, sabotage: sabotage).run()
    }

    /// Runs the plan again; returns its events line by line.
    package func timeline() -> [String] {
        let timeline = Timeline(self.plan)
        _ = World(self.plan, .simulated, sabotage: self.sabotage, timeline: timeline).run()
        return timeline.lines
    }
}

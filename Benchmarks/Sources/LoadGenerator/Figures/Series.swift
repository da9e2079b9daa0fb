/// The results of one measurement's rounds, figure by figure.
package struct Series: Sendable {
    private var values: [String: [Double]] = [:]

    package init() {}

    package mutating func add(_ figures: [String: Double]) {
        for (name, value) in figures { self.values[name, default: []].append(value) }
    }

    /// Whether there is that figure of any round.
    package func has(_ name: String) -> Bool {
        self.values[name] != nil
    }

    /// The median over the rounds, the mean of the middle two if their number is even; 0 without rounds.
    package func median(_ name: String) -> Double {
        guard let sorted = self.values[name]?.sorted() else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The lowest and the highest over the rounds.
    package func range(_ name: String) -> ClosedRange<Double> {
        let values = self.values[name, default: [0]]
        return (values.min() ?? 0)...(values.max() ?? 0)
    }
}

import LoadGenerator

/// How much one operation may cost.
///
/// Whoever makes one cheaper lowers its limit in the same commit; whoever raises one says why.
struct Limit {
    /// Counts differ by a little from run to run, for what the daemon does once a second.
    private static let slack = 1.02

    var name: String
    var allocations: Double
    var bytes: Double

    static let all = [
        Limit(name: "ping, a reply", allocations: 4, bytes: 176),
        Limit(name: "get", allocations: 5, bytes: 337),
        Limit(name: "set", allocations: 5, bytes: 275),
        Limit(name: "set, on disk", allocations: 15.8, bytes: 1490),
        Limit(name: "next to one reader", allocations: 8, bytes: 833),
        Limit(name: "next to one reader, 1 024 bytes", allocations: 8.1, bytes: 3650),
        Limit(name: "next, each reader more", allocations: 0.06, bytes: 23),
    ]

    func holds(_ cost: Costs.Cost) -> Bool {
        cost.allocations <= self.allocations * Self.slack && cost.bytes <= self.bytes * Self.slack
    }

    func cells(_ cost: Costs.Cost) -> [String] {
        [
            cost.allocations.text(decimals: 2), self.allocations.text(decimals: 2),
            cost.bytes.text(decimals: 0), self.bytes.text(decimals: 0),
        ]
    }
}

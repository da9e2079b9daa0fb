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
        Limit(name: "ping, a reply", allocations: 7, bytes: 480),
        Limit(name: "get", allocations: 8, bytes: 642),
        Limit(name: "set", allocations: 9, bytes: 610),
        Limit(name: "set, on disk", allocations: 50, bytes: 11_400),
        Limit(name: "next to one reader", allocations: 14, bytes: 986),
        Limit(name: "next to one reader, 1 024 bytes", allocations: 14, bytes: 3910),
        Limit(name: "next, each reader more", allocations: 1.12, bytes: 140),
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

import LoadGenerator

/// The limits of one operation's cost.
///
/// A commit that makes an operation cheaper lowers its limit; a commit that raises a limit says why.
struct Limit {
    /// Counts differ a little from run to run, because of the daemon's work once a second. The difference is at least a
    /// hundredth of an allocation, or a byte.
    private static let slack = 1.02

    var name: String
    var allocations: Double
    var bytes: Double
    /// The bytes more with rules, because the answer says who wrote the value.
    var bytesOfWriter = 0.0

    static let all = [
        Limit(name: "ping, a reply", allocations: 2, bytes: 81),
        Limit(name: "get", allocations: 2, bytes: 183, bytesOfWriter: 13),
        Limit(name: "set", allocations: 3, bytes: 170),
        Limit(name: "set, on disk", allocations: 14.1, bytes: 1440),
        Limit(name: "next to one reader", allocations: 5.01, bytes: 525),
        Limit(name: "next to one reader, 1 024 bytes", allocations: 5.1, bytes: 2545),
        Limit(name: "next, each reader more", allocations: 0.05, bytes: 21),
    ]

    /// The limit for a daemon with rules.
    var withRules: Limit {
        var limit = self
        limit.bytes += self.bytesOfWriter
        return limit
    }

    func holds(_ cost: Costs.Cost) -> Bool {
        cost.allocations <= max(self.allocations * Self.slack, self.allocations + 0.01)
            && cost.bytes <= max(self.bytes * Self.slack, self.bytes + 1)
    }

    func cells(_ cost: Costs.Cost) -> [String] {
        [
            cost.allocations.text(decimals: 2), self.allocations.text(decimals: 2),
            cost.bytes.text(decimals: 0), self.bytes.text(decimals: 0),
        ]
    }
}

import RacConnection

/// The results of a benchmark.
struct BenchFigures {
    /// In milliseconds, in ascending order.
    var roundTrips: [Double]
    var setsPerSecond: Double
    var syncedSetsPerSecond: Double
    var deliveriesPerSecond: Double

    static let underWay = 64
    static let binders = 10

    /// The round trip that is longer than this percentage of all.
    private func roundTrip(faster hundredths: Int) -> Double {
        guard !self.roundTrips.isEmpty else { return 0 }
        return self.roundTrips[min(self.roundTrips.count - 1, self.roundTrips.count * hundredths / 100)]
    }

    var lines: [String] {
        let rows = [
            (
                "round trip", "\(self.roundTrip(faster: 50)) ms",
                "median; 99 of 100 within \(self.roundTrip(faster: 99)) ms"
            ),
            ("sets", "\(self.setsPerSecond.asRate)/s", "\(Self.underWay) under way, not waiting for the disk"),
            (
                "sets on disk", "\(self.syncedSetsPerSecond.asRate)/s",
                "\(Self.underWay) under way, each waits for its commit"
            ),
            (
                "fan-out", "\(self.deliveriesPerSecond.asRate)/s",
                "values that reached \(Self.binders) binders, none missing"
            ),
        ]
        return rows.map { "\($0.aligned(left: 13)) \($1.aligned(right: 11))   \($2)" }
    }

    var record: Record {
        var line = Record()
        line.add("roundTripMs", self.roundTrip(faster: 50))
        line.add("slowRoundTripMs", self.roundTrip(faster: 99))
        line.add("setsPerSecond", self.setsPerSecond.rounded())
        line.add("syncedSetsPerSecond", self.syncedSetsPerSecond.rounded())
        line.add("deliveriesPerSecond", self.deliveriesPerSecond.rounded())
        return line
    }
}

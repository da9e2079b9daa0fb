/// Durations that were measured one by one.
package struct Distribution: Sendable {
    private var nanoseconds: [Int] = []
    private var isSorted = true

    package init(capacity: Int = 0) {
        self.nanoseconds.reserveCapacity(capacity)
    }

    package mutating func add(nanoseconds: Int) {
        self.nanoseconds.append(nanoseconds)
        self.isSorted = false
    }

    package mutating func add(from start: Moment, to end: Moment) {
        self.add(nanoseconds: end.nanoseconds - start.nanoseconds)
    }

    package var count: Int {
        self.nanoseconds.count
    }

    /// The mean in microseconds; 0 if nothing was measured.
    package var meanMicroseconds: Double {
        self.nanoseconds.isEmpty ? 0 : Double(self.nanoseconds.reduce(0, +)) / Double(self.nanoseconds.count) / 1000
    }

    /// The smallest duration in microseconds that at least this share of all did not exceed; 0 if there are none.
    package mutating func microseconds(at share: Double) -> Double {
        guard !self.nanoseconds.isEmpty else { return 0 }
        if !self.isSorted { self.nanoseconds.sort() }
        self.isSorted = true
        let rank = Int((share * Double(self.nanoseconds.count)).rounded(.up))
        return Double(self.nanoseconds[min(max(rank, 1), self.nanoseconds.count) - 1]) / 1000
    }
}

/// A rate with a store, which holds as many tokens as a second brings.
///
/// The store may go into debt, which the next seconds pay. Times are milliseconds of a clock that never
/// goes back.
struct TokenBucket: Sendable {
    /// The tokens that a second brings.
    private let rate: Int
    /// The tokens in the store, in thousandths: a millisecond brings as many of these as a second brings tokens.
    private var level: Int
    private var filledAt: UInt64

    /// A full one.
    init(rate: Int, at now: UInt64) {
        self.rate = rate
        self.level = rate * 1_000
        self.filledAt = now
    }

    mutating func take(_ count: Int) {
        self.level -= count * 1_000
    }

    /// The time at which the store is full again; a past one if it is full.
    var fullAt: UInt64 {
        let missing = self.rate * 1_000 - self.level
        return self.filledAt + UInt64((missing + self.rate - 1) / self.rate)
    }

    /// The time at which there is something to take; nil if there is now.
    mutating func opens(after now: UInt64) -> UInt64? {
        let missing = self.rate * 1_000 - self.level
        // More milliseconds than fill the store make no difference.
        let passed = min(Int(clamping: now - min(now, self.filledAt)), missing / self.rate + 1)
        self.level = min(self.rate * 1_000, self.level + passed * self.rate)
        self.filledAt = max(now, self.filledAt)
        guard self.level < 1_000 else { return nil }
        return now + UInt64((1_000 - self.level + self.rate - 1) / self.rate)
    }
}

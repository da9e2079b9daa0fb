/// Decides which of many equal warnings are logged: for each kind one in ten seconds, and one in a second for new reasons.
struct WarningLimiter {
    /// The pause between two warnings of a kind, in milliseconds.
    static let interval: UInt64 = 10_000

    /// The pause between two warnings of a kind that have different reasons, in milliseconds.
    static let intervalOfReasons: UInt64 = 1_000

    private struct Last {
        var time: UInt64
        let reason: String
        var suppressed = 0
    }

    private var last: [String: Last] = [:]

    /// The number of warnings that were left out since the last one; nil if this one is left out, too.
    ///
    /// - Parameters:
    ///   - kind: The warning's text with the daemon's code in it.
    ///   - reason: The reason, if a warning with another one is worth a line of its own.
    ///   - now: Milliseconds of the loop's clock.
    /// - Returns: The number.
    mutating func admit(_ kind: String, because reason: String = "", at now: UInt64) -> Int? {
        if let last = self.last[kind],
            now < last.time + (last.reason == reason ? Self.interval : Self.intervalOfReasons)
        {
            self.last[kind]?.suppressed += 1
            return nil
        }
        defer { self.last[kind] = Last(time: now, reason: reason) }
        return self.last[kind]?.suppressed ?? 0
    }
}

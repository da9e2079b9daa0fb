/// Decides which of many equal warnings are logged: for each kind one in ten seconds.
struct WarningLimiter {
    /// The pause between two warnings of a kind, in milliseconds.
    static let interval: UInt64 = 10_000

    private struct Last {
        var time: UInt64
        var suppressed = 0
    }

    private var last: [String: Last] = [:]

    /// The number of warnings that were left out since the last one; nil if this one is left out, too.
    ///
    /// - Parameters:
    ///   - kind: The warning's text with the daemon's code in it.
    ///   - now: Milliseconds of the loop's clock.
    /// - Returns: The number.
    mutating func admit(_ kind: String, at now: UInt64) -> Int? {
        if let last = self.last[kind], now < last.time + Self.interval {
            self.last[kind]?.suppressed += 1
            return nil
        }
        defer { self.last[kind] = Last(time: now) }
        return self.last[kind]?.suppressed ?? 0
    }
}

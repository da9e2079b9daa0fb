import RacAccess
import RacHost

/// Decides which refusals get an audit line: the first of a kind at once, its repeats as a number.
///
/// So no client can flood the log. A kind is an act of a principal from one place. Kinds beyond the limits are counted together. Times are milliseconds of the loop's
/// clock.
struct AuditTrail: Sendable {
    /// The time for which repeats of a kind are counted.
    static let interval: UInt64 = 10_000
    /// The kinds that are open at a time.
    static let kinds = 64
    /// The kinds of one principal from one place that are open at a time.
    static let kindsOfClient = 8

    struct Kind: Hashable, Sendable {
        let act: RefusedAct
        /// The client's address without its port.
        let place: String
    }

    struct Line: Hashable, Sendable {
        /// Nil for a line that has nothing but the number of others.
        let kind: Kind?
        /// The refusals of this kind that have no line.
        let repeats: Int
        /// The refusals of kinds without a line.
        let others: Int
    }

    private struct Window {
        var began: UInt64
        var repeats = 0
    }

    private var windows: [Kind: Window] = [:]
    private var others = 0
    private var toldOthersAt: UInt64 = 0

    /// Refusals have happened.
    ///
    /// - Parameters:
    ///   - kind: Their kind.
    ///   - count: Their number.
    ///   - others: The number of refusals of unknown kinds beside them.
    ///   - now: The time.
    /// - Returns: The line to write now; nil if they are counted for a later one.
    mutating func note(_ kind: Kind, count: Int = 1, others: Int = 0, at now: UInt64) -> Line? {
        self.others += others
        if let window = self.windows[kind] {
            self.windows[kind]?.repeats = window.repeats + count
            return nil
        }
        let isOfClient = { (other: Kind) in other.place == kind.place && other.act.principal == kind.act.principal }
        guard self.windows.count < Self.kinds, self.windows.keys.count(where: isOfClient) < Self.kindsOfClient else {
            self.others += count
            return nil
        }
        self.windows[kind] = Window(began: now)
        return self.line(kind, repeats: count - 1, at: now)
    }

    /// The lines of kinds whose time is over and that were repeated, the oldest first.
    mutating func due(at now: UInt64) -> [Line] {
        guard !self.windows.isEmpty || self.others > 0 else { return [] }
        let over = self.windows.filter { now >= $0.value.began + Self.interval }
        var lines: [Line] = []
        for (kind, window) in over.sorted(by: { $0.value.began < $1.value.began }) {
            self.windows[kind] = window.repeats > 0 ? Window(began: now) : nil
            if window.repeats > 0 { lines.append(self.line(kind, repeats: window.repeats, at: now)) }
        }
        if self.others > 0, now >= self.toldOthersAt + Self.interval {
            lines.append(self.line(nil, repeats: 0, at: now))
        }
        return lines
    }

    private mutating func line(_ kind: Kind?, repeats: Int, at now: UInt64) -> Line {
        defer { self.others = 0 }
        if self.others > 0 || kind == nil { self.toldOthersAt = now }
        return Line(kind: kind, repeats: repeats, others: self.others)
    }
}

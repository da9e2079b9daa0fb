import NIOCore

/// Decides when a view with an interval of its own shows the values of a binding that may be faster.
///
/// At most one value, the newest, is shown in each interval.
struct Pace {
    enum OnArrival: Equatable {
        case show
        /// Something was shown a moment ago: show the newest value at that time.
        case hold(until: NIODeadline)
    }

    private let interval: TimeAmount
    private var shownAt: NIODeadline?

    /// - Parameter interval: In milliseconds; nil shows every value.
    init(interval: UInt64?) {
        self.interval = .milliseconds(Int64(clamping: interval ?? 0))
    }

    /// A value came, or its time has come.
    mutating func arrived(at now: NIODeadline) -> OnArrival {
        guard self.interval > .zero else { return .show }
        if let shownAt = self.shownAt, now < shownAt + self.interval { return .hold(until: shownAt + self.interval) }
        self.shownAt = now
        return .show
    }
}

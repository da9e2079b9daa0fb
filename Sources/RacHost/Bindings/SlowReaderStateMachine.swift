package import RacProtocol

/// Decides which values a binding gets while its client reads slowly, or its interval has not passed.
///
/// The three kinds of delivery differ here alone: `every` queues all values, `newest` and `paced` skip all but the
/// newest one.
///
/// Semantics: protocol.md, "Slow readers".
package struct SlowReaderStateMachine: Sendable {
    package enum OnValues: Equatable, Sendable {
        case give
        case queue
        /// The binding gets the newest value when the connection has room and the interval has passed.
        case skip
    }

    package let delivery: Who.Delivery

    /// Whether values were skipped, so that the newest one is due.
    package private(set) var isBehind = false

    /// Whether a deadline wakes the binding when its interval has passed.
    package private(set) var isPaused = false

    /// The time at which a paced binding may get its next value.
    private var nextDue: UInt64 = 0

    package init(_ delivery: Who.Delivery) {
        self.delivery = delivery
    }

    /// Whether the newest value waits for the connection's room, and not for a deadline.
    package var waitsForRoom: Bool { self.isBehind && !self.isPaused }

    /// New values have come.
    ///
    /// - Parameters:
    ///   - hasRoom: Whether the connection has room.
    ///   - isThrough: Whether it has room, and no frame of the binding queues.
    /// - Returns: The binding's way with the values.
    @inline(__always)
    package mutating func values(hasRoom: Bool, isThrough: Bool) -> OnValues {
        switch self.delivery {
        case .newest where hasRoom && !self.isBehind: return .give
        case .every: return isThrough ? .give : .queue
        case .newest, .paced:
            self.isBehind = true
            return .skip
        }
    }

    /// Drops the skipped values: newer ones that the binding must not get supersede them.
    package mutating func passOver() {
        self.isBehind = false
    }

    /// The connection has room; returns whether the binding gets the newest value now.
    package mutating func takesNewest(at time: Time) -> Bool {
        if self.isBehind, case .paced(let interval) = self.delivery {
            guard time.uptime >= self.nextDue else { return false }
            self.nextDue = time.uptime + interval
        }
        return self.takesNewest()
    }

    /// The binding ends; returns whether it gets the newest value before.
    package mutating func takesNewest() -> Bool {
        defer { self.isBehind = false }
        return self.isBehind
    }

    /// Returns the deadline to set if the newest value has to wait for one.
    package mutating func pause() -> UInt64? {
        guard self.waitsForRoom else { return nil }
        self.isPaused = true
        return self.nextDue
    }

    /// The deadline has come.
    package mutating func wake() {
        self.isPaused = false
    }
}

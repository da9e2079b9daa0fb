/// Whether a connection is alive: pinged when it is silent, ended when it stays silent.
///
/// Times are milliseconds of a clock that never goes back.
///
/// Semantics: protocol.md, "Heartbeats".
package struct HeartbeatStateMachine: Sendable {
    private enum State {
        case heard(at: UInt64)
        case pinged(first: UInt64, last: UInt64)
    }

    package enum OnTicked: Equatable {
        case nothing
        case ping
        case end
    }

    private let interval: UInt64
    private var state: State

    package init(interval: UInt64, at now: UInt64) {
        self.interval = interval
        self.state = .heard(at: now)
    }

    /// Something came.
    package mutating func heard(at now: UInt64) {
        self.state = .heard(at: now)
    }

    /// Time has passed.
    ///
    /// The end is counted from the first ping: a daemon that was stopped for long has heard nobody and asked nobody. A client
    /// that is not read now is pinged, so that it hears the daemon. Its silence counts once it is read again.
    package mutating func ticked(at now: UInt64, isRead: Bool = true) -> OnTicked {
        if !isRead, case .pinged(_, let last) = self.state { self.state = .pinged(first: now, last: last) }
        switch self.state {
        case .heard(let last):
            guard now - last >= self.interval else { return .nothing }
            self.state = .pinged(first: now, last: now)
            return .ping
        case .pinged(let first, let last):
            guard now - first < self.interval * 3 / 2 else { return .end }
            guard now - last >= self.interval else { return .nothing }
            self.state = .pinged(first: first, last: now)
            return .ping
        }
    }
}

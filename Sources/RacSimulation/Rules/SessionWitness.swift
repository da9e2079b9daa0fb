/// The holder of the session of one name, and the time until which the daemon remembers its sends.
struct SessionWitness {
    private enum State {
        case connected(Int)
        /// No connection holds it; the daemon forgets it after this time, in milliseconds of its uptime.
        case resting(until: UInt64)
    }

    private var state = State.resting(until: .max)
    /// The number of times a session of this name was forgotten.
    private(set) var incarnation = 0

    /// A connection names the session, and takes it from any other connection.
    mutating func welcomed(_ link: Int, at uptime: UInt64) {
        if case .resting(let until) = self.state, until <= uptime { self.incarnation += 1 }
        self.state = .connected(link)
    }

    /// Whether another connection holds it, or held it last.
    func isLost(to link: Int) -> Bool {
        if case .connected(let other) = self.state { other != link } else { false }
    }

    /// A connection has closed; it may have lost the session before.
    mutating func disconnected(_ link: Int, keptUntil time: UInt64) {
        if case .connected(link) = self.state { self.state = .resting(until: time) }
    }
}

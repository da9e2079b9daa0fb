/// Who has a session of this name, and until when the daemon remembers what was sent in it.
struct SessionWitness {
    private enum State {
        case connected(Int)
        /// Nobody has it; after this time it is forgotten, in milliseconds of the daemon's uptime.
        case resting(until: UInt64)
    }

    private var state = State.resting(until: .max)
    /// How often a session of this name was forgotten.
    private(set) var incarnation = 0

    /// A connection names the session, and takes it from whoever has it.
    mutating func welcomed(_ link: Int, at uptime: UInt64) {
        if case .resting(let until) = self.state, until <= uptime { self.incarnation += 1 }
        self.state = .connected(link)
    }

    /// Whether another connection has it, or had it last.
    func isLost(to link: Int) -> Bool {
        if case .connected(let other) = self.state { other != link } else { false }
    }

    /// A connection is gone, which may have lost the session before.
    mutating func disconnected(_ link: Int, keptUntil time: UInt64) {
        if case .connected(link) = self.state { self.state = .resting(until: time) }
    }
}

import RacProtocol

/// What a client's sends have come to, over its connections. Guarded by the host's isolation.
final class Session {
    /// What the client calls it; nil: it ends with its connection.
    let name: String?
    private var applied: [TerminalID: SendNumber] = [:]

    /// The connection that it has now.
    weak var connection: HostedConnection?

    init(name: String?) {
        self.name = name
    }

    func lastApplied(_ terminal: TerminalID) -> SendNumber {
        self.applied[terminal] ?? .none
    }

    func remember(_ number: SendNumber, of terminal: TerminalID) {
        guard number > .none else { return }
        self.applied[terminal] = number
    }

    func forget(_ terminal: TerminalID) {
        self.applied[terminal] = nil
    }
}

/// The sessions by their names; those without a connection are kept for a while.
struct SessionTable {
    private var sessions: [String: Session] = [:]
    private var resting: [(name: String, until: UInt64)] = []

    /// The session of this name, a new one if there is none.
    mutating func session(named name: String?) -> Session {
        guard let name else { return Session(name: nil) }
        if let session = self.sessions[name] { return session }
        let session = Session(name: name)
        self.sessions[name] = session
        return session
    }

    /// A session's connection ended: it is kept for so long, and so many are kept.
    mutating func rest(_ session: Session, at time: Time, limits: Limits) {
        guard let name = session.name else { return }
        self.resting.append((name, time.uptime + limits.sessionLifetime))
        self.forgetRested(at: time, most: limits.restingSessions)
    }

    /// Forgets the sessions whose time is over, and the oldest of too many.
    mutating func forgetRested(at time: Time, most: Int) {
        let over = self.resting.prefix { $0.until <= time.uptime }.count
        let count = max(over, self.resting.count - most)
        guard count > 0 else { return }
        for (name, _) in self.resting.prefix(count) where self.sessions[name]?.connection == nil {
            // It may rest again since, after another connection: then a later entry speaks for it.
            guard !self.resting.dropFirst(count).contains(where: { $0.name == name }) else { continue }
            self.sessions[name] = nil
        }
        self.resting.removeFirst(count)
    }
}

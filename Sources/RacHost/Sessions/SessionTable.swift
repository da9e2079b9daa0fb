import DequeModule
import RacProtocol

/// What a client's sends have come to, over its connections.
///
/// Guarded by the host's isolation.
final class Session {
    /// What the client calls it; nil: it ends with its connection.
    let name: String?
    private var applied: [TerminalID: SendNumber] = [:]

    /// The connection that it has now.
    fileprivate(set) var connection: ConnectionID?

    /// Counts its rests, so that what speaks of an earlier one is known as such.
    fileprivate var rests = 0

    init(name: String?) {
        self.name = name
    }

    /// How many terminals it knows.
    var count: Int { self.applied.count }

    func lastApplied(_ terminal: TerminalID) -> SendNumber {
        self.applied[terminal] ?? .none
    }

    func remember(_ number: SendNumber, of terminal: TerminalID) {
        guard number > .none else { return }
        self.applied[terminal] = number
    }

    func keep(_ isWanted: (TerminalID) -> Bool) {
        self.applied = self.applied.filter { isWanted($0.key) }
    }
}

/// The sessions by their names; those without a connection are kept for a while.
struct SessionTable {
    /// A session that began to rest, and may have found a connection since.
    private struct Rest {
        let session: Session
        let number: Int
        let until: UInt64

        var isOver: Bool { self.session.connection != nil || self.session.rests != self.number }
    }

    private var sessions: [String: Session] = [:]
    private var rests: Deque<Rest> = []

    /// How many sessions have no connection.
    private(set) var restingCount = 0

    /// How many terminals they know together.
    private(set) var restingTerminals = 0

    /// How many sessions have a name.
    var count: Int { self.sessions.count }

    /// The session of this name, a new one if there is none.
    func session(named name: String?) -> Session {
        name.flatMap { self.sessions[$0] } ?? Session(name: name)
    }

    /// A session has a connection.
    mutating func wake(_ session: Session, for connection: ConnectionID) {
        if let name = session.name, self.sessions.updateValue(session, forKey: name) != nil, session.connection == nil {
            self.restingCount -= 1
            self.restingTerminals -= session.count
        }
        session.connection = connection
    }

    /// A session's connection ended: it is kept for so long, and so many are kept.
    mutating func rest(_ session: Session, at time: Time, limits: Limits) {
        session.connection = nil
        guard session.name != nil else { return }
        session.rests += 1
        self.restingCount += 1
        self.restingTerminals += session.count
        self.rests.append(Rest(session: session, number: session.rests, until: time.uptime + limits.sessionLifetime))
        self.forgetRested(at: time, limits: limits)
    }

    /// Forgets the sessions whose time is over, and the oldest of too many.
    mutating func forgetRested(at time: Time, limits: Limits) {
        while let rest = self.rests.first {
            let isTooMuch =
                self.restingCount > limits.restingSessions || self.restingTerminals > limits.restingTerminals
            guard rest.isOver || rest.until <= time.uptime || isTooMuch else { break }
            self.rests.removeFirst()
            if !rest.isOver { self.forget(rest.session) }
        }
        // A client that connects again and again leaves many behind one that rests long.
        if self.rests.count > 2 * self.restingCount + 64 { self.rests.removeAll(where: \.isOver) }
    }

    private mutating func forget(_ session: Session) {
        guard let name = session.name else { return }
        self.sessions[name] = nil
        self.restingCount -= 1
        self.restingTerminals -= session.count
    }
}

import DequeModule
import RacAccess
import RacProtocol

/// The last applied send of each of a client's terminals, and the refused ones before it, across its connections.
///
/// Guarded by the host's isolation.
final class Session {
    /// The client's name for the session; without one the session ends with its connection.
    let name: String?
    private var applied: [TerminalID: SendNumber] = [:]
    private var refused: [TerminalID: RefusedSends] = [:]

    /// The principal that began the session in a closed daemon.
    var owner: PrincipalName?

    /// The session's present connection; its last one until all of them are released, and nil behind that.
    fileprivate(set) var connection: ConnectionID?

    /// The number of its earlier connections that have ended and have yet to be released.
    var endingCount = 0

    /// The number of this session's times without a connection; it separates an earlier one's entry from the present.
    fileprivate var rests = 0

    init(name: String?) {
        self.name = name
    }

    /// The number of remembered terminals.
    var count: Int { self.applied.count }

    func lastApplied(_ terminal: TerminalID) -> SendNumber {
        self.applied[terminal] ?? .none
    }

    func refusedSends(_ terminal: TerminalID) -> RefusedSends? {
        self.refused[terminal]
    }

    /// Remembers a terminal's last applied send; a refused one counts only if a later one was applied.
    func remember(_ number: SendNumber, of terminal: TerminalID, refused: RefusedSends?) {
        guard number > .none else { return }
        self.applied[terminal] = number
        self.refused[terminal] = refused
    }

    /// Lets the numbers of a terminal go on in another one.
    ///
    /// The earlier terminal stays known: the client names it again if the answer to its bind is lost.
    ///
    /// - Returns: Whether they go on. They do not where the session knows other sends of the new terminal.
    func goOn(from earlier: TerminalID, in terminal: TerminalID) -> Bool {
        guard self.name != nil else { return false }
        let (last, known) = (self.lastApplied(earlier), self.lastApplied(terminal))
        guard known == .none || known == last else { return false }
        self.remember(last, of: terminal, refused: self.refused[earlier])
        return true
    }

    func keep(_ isWanted: (TerminalID) -> Bool) {
        self.applied = self.applied.filter { isWanted($0.key) }
        self.refused = self.refused.filter { isWanted($0.key) }
    }
}

/// The sessions by name; a session without a connection is kept for its lifetime.
struct SessionTable {
    /// The beginning of a session's time without a connection; the session may be connected again by now.
    private struct Rest {
        let session: Session
        let number: Int
        let until: UInt64

        var isOver: Bool { self.session.connection != nil || self.session.rests != self.number }
    }

    private var sessions: [String: Session] = [:]
    private var rests: Deque<Rest> = []

    /// The number of sessions without a connection.
    private(set) var restingCount = 0

    /// The number of terminals that those sessions remember together.
    private(set) var restingTerminals = 0

    /// The number of sessions with a name.
    var count: Int { self.sessions.count }

    /// The session of this name; a new one if there is none.
    func session(named name: String?) -> Session {
        name.flatMap { self.sessions[$0] } ?? Session(name: name)
    }

    /// A session gets a connection.
    mutating func wake(_ session: Session, for connection: ConnectionID) {
        if let name = session.name, self.sessions.updateValue(session, forKey: name) != nil, session.connection == nil {
            self.restingCount -= 1
            self.restingTerminals -= session.count
        }
        session.connection = connection
    }

    /// All connections of a session are released: the session is kept within the limits on lifetime and number.
    mutating func rest(_ session: Session, at time: Time, limits: Limits) {
        session.connection = nil
        guard session.name != nil else { return }
        session.rests += 1
        self.restingCount += 1
        self.restingTerminals += session.count
        self.rests.append(Rest(session: session, number: session.rests, until: time.uptime + limits.sessionLifetime))
        self.forgetRested(at: time, limits: limits)
    }

    /// Drops sessions after their lifetime, and the oldest ones above the limits.
    mutating func forgetRested(at time: Time, limits: Limits) {
        while let rest = self.rests.first {
            let isTooMuch =
                self.restingCount > limits.restingSessions || self.restingTerminals > limits.restingTerminals
            guard rest.isOver || rest.until <= time.uptime || isTooMuch else { break }
            self.rests.removeFirst()
            if !rest.isOver { self.forget(rest.session) }
        }
        // Entries of reconnected sessions pile up behind the entry of a session that stays away for long.
        if self.rests.count > 2 * self.restingCount + 64 { self.rests.removeAll(where: \.isOver) }
    }

    private mutating func forget(_ session: Session) {
        guard let name = session.name else { return }
        self.sessions[name] = nil
        self.restingCount -= 1
        self.restingTerminals -= session.count
    }
}

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

    /// The number of terminals with which it counts among the sessions without a connection; nil while it has one.
    fileprivate var restingTerminals: Int?

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
///
/// Above a limit the principal that has most of it loses its oldest session, so no other principal can drive out a session.
struct SessionTable {
    /// The beginning of a session's time without a connection; the session may be connected again by now.
    fileprivate struct Rest {
        let session: Session
        let number: Int
        let until: UInt64

        var isOver: Bool { self.session.restingTerminals == nil || self.session.rests != self.number }
    }

    /// The sessions of one principal without a connection.
    private struct Resting {
        var rests: Deque<Rest> = []
        var count = 0
        var terminals = 0

        /// The oldest session; nil if none is left.
        mutating func popFirst() -> Session? {
            while let rest = self.rests.popFirst() {
                if !rest.isOver { return rest.session }
            }
            return nil
        }

        mutating func append(_ rest: Rest) {
            self.rests.append(rest)
            self.rests.forgetOver(besides: self.count)
        }
    }

    private var sessions: [String: Session] = [:]
    /// In the order in which they end.
    private var rests: Deque<Rest> = []
    /// By their principals; nil is for the sessions of an open daemon.
    private var resting: [PrincipalName?: Resting] = [:]

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
        if let name = session.name { self.sessions[name] = session }
        self.countOut(session)
        session.connection = connection
    }

    /// All connections of a session are released: the session is kept within the limits on lifetime and number.
    mutating func rest(_ session: Session, at time: Time, limits: Limits) {
        session.connection = nil
        guard session.name != nil else { return }
        session.rests += 1
        self.count(session, by: 1, terminals: session.count)
        session.restingTerminals = session.count
        let rest = Rest(session: session, number: session.rests, until: time.uptime + limits.sessionLifetime)
        self.rests.append(rest)
        self.resting[session.owner]?.append(rest)
        self.rests.forgetOver(besides: self.restingCount)
        self.forgetRested(at: time, limits: limits)
    }

    /// Drops sessions after their lifetime, and above the limits the oldest ones of the principals that have most.
    mutating func forgetRested(at time: Time, limits: Limits) {
        while let rest = self.rests.first, rest.isOver || rest.until <= time.uptime {
            self.rests.removeFirst()
            if !rest.isOver { self.forget(rest.session) }
        }
        while self.restingCount > limits.restingSessions, self.forgetOldest(of: \.count) {}
        while self.restingTerminals > limits.restingTerminals, self.forgetOldest(of: \.terminals) {}
    }

    /// Drops the oldest session of the principal that has most; returns whether there was one.
    private mutating func forgetOldest(of number: KeyPath<Resting, Int>) -> Bool {
        // Of equal ones that with the last name, on each machine.
        let most = self.resting.max {
            ($0.value[keyPath: number], $0.key?.text ?? "") < ($1.value[keyPath: number], $1.key?.text ?? "")
        }
        guard let most, let session = self.resting[most.key]?.popFirst() else { return false }
        self.forget(session)
        return true
    }

    private mutating func forget(_ session: Session) {
        if let name = session.name { self.sessions[name] = nil }
        self.countOut(session)
    }

    /// A session does not count among those without a connection any more.
    private mutating func countOut(_ session: Session) {
        guard let terminals = session.restingTerminals else { return }
        session.restingTerminals = nil
        self.count(session, by: -1, terminals: -terminals)
        if self.resting[session.owner]?.count == 0 { self.resting[session.owner] = nil }
    }

    private mutating func count(_ session: Session, by number: Int, terminals: Int) {
        self.restingCount += number
        self.restingTerminals += terminals
        self.resting[session.owner, default: Resting()].count += number
        self.resting[session.owner, default: Resting()].terminals += terminals
    }
}

extension Deque<SessionTable.Rest> {
    /// Drops the entries of reconnected sessions, which pile up behind the entry of a session that stays away for long.
    fileprivate mutating func forgetOver(besides count: Int) {
        if self.count > 2 * count + 64 { self.removeAll(where: \.isOver) }
    }
}

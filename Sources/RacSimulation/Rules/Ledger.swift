import RacHost
import RacProtocol

/// The knowledge about a history that does not rely on the code under test.
///
/// It holds the changes of channels, the messages that are due to clients, and those that clients have received.
struct Ledger {
    /// One side of a channel on a connection that binds it, once or several times.
    struct Place: Hashable {
        let link: Int
        let channel: ChannelName
        let role: Role
    }

    /// A terminal by its number on a connection.
    struct TerminalKey: Hashable {
        let link: Int
        let terminal: TerminalID
    }

    struct RequestKey: Hashable {
        let link: Int
        let id: RequestID
    }

    struct SessionKey: Hashable {
        let life: Int
        let session: String
        let incarnation: Int
        let terminal: TerminalID
    }

    /// A write of a program; its value is unique.
    struct Write: Hashable {
        let channel: ChannelName
        let value: JSONText
    }

    /// The client of a connection.
    struct Caller {
        let client: String
        /// The name of its session, or a name of the connection's own.
        let session: String
        let hasSession: Bool
        /// The number of times the daemon had forgotten a session of that name before the welcome.
        let incarnation: Int
        /// The life of the daemon to which the connection leads.
        let life: Int
        let principal: String?
        var rights: RightsWitness
        /// Whether its wills are dropped.
        var leavesInOrder = false
    }

    var truth: Truth
    var durability = DurabilityWitness()
    var callers: [Int: Caller] = [:]
    /// The bindings of each terminal on each connection: the client's first, the daemon's last.
    var bindings: [Place: [BindingWitness]] = [:]
    /// The terminals by their numbers.
    var places: [TerminalKey: Place] = [:]
    var sends: [TerminalKey: SendWitness] = [:]
    var applied: [SessionKey: SendNumber] = [:]
    /// The sends of each session that were refused and have not been judged anew.
    var refused: [SessionKey: Set<SendNumber>] = [:]
    private var sessions: [String: SessionWitness] = [:]
    /// The connections that have ended and that the daemon has yet to release.
    var releasing: [Int: ReleaseWitness] = [:]
    /// The time by which a session outlives its connection, in milliseconds.
    private let sessionLifetime: UInt64
    /// The writes that the daemon has acknowledged to their writers.
    var acknowledged: Set<Write> = []
    var answers: [RequestKey: Answer] = [:]
    var watches: [Int: WatchWitness] = [:]
    var commands = CommandWitness()
    /// The rules by which the daemon judges new connections; nil while it is open.
    var rules: RulesPlan?
    /// The connections that the newest rules have yet to judge.
    var unjudged: Set<Int> = []
    /// Whether the daemon may run out of revisions, and so refuse correct writes.
    let isScarce: Bool
    private var instances = 0
    /// The number of daemons that have started.
    private var lives = 0

    init(names: [ChannelName], newest: Revision, isScarce: Bool, sessionLifetime: UInt64) {
        self.truth = Truth(names: names, newest: newest)
        self.isScarce = isScarce
        self.sessionLifetime = sessionLifetime
    }

    func name(_ link: Int) -> String { self.callers[link]?.client ?? "a client" }

    func lastApplied(_ link: Int, _ terminal: TerminalID) -> SendNumber {
        self.applied[self.session(link, terminal)] ?? .none
    }

    func session(_ link: Int, _ terminal: TerminalID) -> SessionKey {
        let caller = self.callers[link]
        return SessionKey(
            life: caller?.life ?? 0,
            session: caller?.session ?? "",
            incarnation: caller?.incarnation ?? 0,
            terminal: terminal
        )
    }

    /// Whether another connection has taken over its session, so that its messages are ignored.
    func hasLostSession(_ link: Int) -> Bool {
        self.callers[link].flatMap { self.sessions[$0.session]?.isLost(to: link) } ?? false
    }

    /// The daemon's present binding.
    func hosted(_ place: Place) -> BindingWitness? {
        self.bindings[place]?.last.flatMap { $0.isHosted ? $0 : nil }
    }

    func hosted(_ terminal: TerminalKey) -> BindingWitness? {
        self.places[terminal].flatMap(self.hosted).flatMap { $0.terminal == terminal.terminal ? $0 : nil }
    }

    mutating func addBinding(_ place: Place, _ bind: Bind) {
        self.instances += 1
        let witness = BindingWitness(self.instances, self.name(place.link), bind, self.truth[bind.channel])
        self.bindings[place, default: []].append(witness)
    }

    /// A connection was notified that this batch is on the disk.
    mutating func promise(_ ticket: BatchTicket, to link: Int) throws(Violation) {
        try self.durability.promise(ticket, by: self.callers[link]?.life ?? 0, to: self.name(link))
    }

    /// Enters a change, which is then due to every binding of the channel.
    mutating func enter(_ change: ObservedChange, once: Truth.Once = .ever) throws(Violation) {
        try self.truth.enter(change, once: once)
        self.durability.changed()
        if change.after == nil || change.end != nil { self.endWills(on: change.channel) }
        for place in self.bindings.keys where place.channel == change.channel {
            for index in self.bindings[place]?.indices ?? 0..<0 { self.bindings[place]?[index].changed(change) }
        }
    }
}

// MARK: Daemons and connections

extension Ledger {
    /// A daemon starts with the state that it found.
    mutating func booted(
        with records: [ChannelName: ChannelRecord],
        rules: RulesPlan?,
        losesPromises: Bool
    ) throws(Violation) {
        self.rules = rules
        self.unjudged = []
        try self.durability.found(records, losesPromises: losesPromises)
        self.truth.begin(with: records)
        self.lives += 1
        self.sessions = [:]
        self.releasing = [:]
        for place in self.bindings.keys { self.unhost(place) }
        for link in self.callers.keys { self.commands.disconnected(link) }
    }

    /// An execution on a connection.
    func key(_ execution: ExecutionID, _ link: Int) -> CommandWitness.Key {
        CommandWitness.Key(life: self.callers[link]?.life ?? 0, execution: execution)
    }

    /// The daemon has welcomed a connection, which takes its session from any other one but those that it releases.
    ///
    /// A client that the daemon turns away takes no session.
    mutating func welcomed(_ link: Int, client: String, principal: String?, session: String?, at uptime: UInt64) {
        let rights = RightsWitness(self.rules, of: principal)
        let session = rights.isTurnedAway ? nil : session
        if let session {
            self.sessions[session, default: SessionWitness()].welcomed(link, at: uptime)
            for (older, caller) in self.callers where caller.session == session && self.releasing[older] == nil {
                self.callers[older]?.leavesInOrder = true
                self.beginRelease(of: older)
            }
        }
        self.callers[link] = Caller(
            client: client,
            session: session ?? "none, \(link)",
            hasSession: session != nil,
            incarnation: session.flatMap { self.sessions[$0]?.incarnation } ?? 0,
            life: self.lives,
            principal: principal,
            rights: rights
        )
    }

    /// The session of a connection has none from now on.
    mutating func rest(sessionOf link: Int, at uptime: UInt64) {
        guard let session = self.callers[link]?.session else { return }
        self.sessions[session]?.disconnected(link, keptUntil: uptime + self.sessionLifetime)
    }

    mutating func unhost(all link: Int) {
        self.commands.disconnected(link)
        for place in self.bindings.keys where place.link == link { self.unhost(place) }
    }

    mutating func unhost(_ place: Place) {
        for index in self.bindings[place]?.indices ?? 0..<0 { self.bindings[place]?[index].unbound() }
    }
}

import DequeModule
package import RacAccess
import RacProtocol

/// One client's connection, as the host keeps it.
///
/// Guarded by the host's isolation.
package final class HostedConnection {
    /// Below this number of pending bytes there is room for values.
    ///
    /// Above it subscribers keep marks instead of bytes. Answers need no room.
    static let roomBytes = 256 << 10

    enum Phase {
        case live
        /// The client has said `bye`: it still gets its answers, and its wills do not apply.
        case leaving
        /// The host ends the connection and ignores further messages.
        case evicted
        /// The connection has left the host; frames for it are dropped.
        case gone
    }

    package let id: ConnectionID

    let session: Session
    /// The client, as `who` and `commands` list it.
    var client: ConnectedClient
    let limits: Limits

    /// The client's proofs of who it is, for another policy.
    let credentials: Credentials

    /// The client's rights; nil while the daemon is open.
    var rights: Rights?

    /// Whether the client's principal is gone: the client gets nothing more, and its wills are dropped.
    private(set) var isTurnedAway = false

    var phase = Phase.live
    var outgoing: Outgoing
    private(set) var bindings: [TerminalID: Binding] = [:]

    /// The binding found last: the next send is mostly for the same one.
    private var recentBinding: Binding?

    /// Bindings that are over and have frames left to send.
    var departing = DepartingBindings()

    /// Subscribers with frames for which there was no room.
    var lagging: Deque<Subscriber> = []

    /// Whether the tick lists the connection.
    var isListed = false

    /// Requests and sends whose answers wait for a commit.
    var waitingWrites = 0

    /// The sends among `waitingWrites` whose terminals have no binding.
    var waitingSends = 0

    /// Bytes that the shell has taken and not written yet.
    var unwrittenBytes = 0

    /// The bytes that are kept for the connection: its wills, and the queues of its subscribers.
    let kept: MemoryAccount

    /// Bytes in the queues of the connection's subscribers, which are part of `kept`.
    package private(set) var queuedBytes = 0

    /// The connection's part in the work of this turn.
    var share = WorkTurn.Share()

    /// The units that the connection's lagging subscribers may still spend in this turn.
    var unitsLeft = 0

    /// Whether the lagging subscribers had to wait for the next turn, where they come first.
    var isPassedOver = false

    /// Lists without an answer yet.
    var waitingLists = 0

    /// The number of requests `unhost` whose executions have not all failed yet.
    var waitingUnhosts = 0

    /// Whether the socket takes more, as the shell reported last; never for a client that was turned away.
    var isWritable = true {
        didSet { if self.isTurnedAway { self.isWritable = false } }
    }

    init(
        id: ConnectionID,
        session: Session,
        client: ConnectedClient,
        limits: Limits,
        credentials: Credentials = Credentials(),
        rights: Rights? = nil
    ) {
        self.credentials = credentials
        self.rights = rights
        self.id = id
        self.session = session
        self.client = client
        self.outgoing = Outgoing(takesMessages: client.transport == .http)
        self.limits = limits
        self.kept = MemoryAccount(limit: limits.bytesPerConnection)
    }

    /// The client gets the output of this moment, and nothing behind it.
    func turnAway() {
        self.isTurnedAway = true
        self.isWritable = false
    }

    /// The client's principal in a closed daemon.
    package var principal: PrincipalName? { self.rights?.principal }

    /// Whether the client gave its session this name.
    package func isOf(session: String) -> Bool { self.session.name == session }

    /// Whether the client's messages wait for the end of an earlier connection of its session.
    package var waitsForEarlier: Bool { self.session.endingCount > 0 }

    /// Whether the client has gone, or goes without its wills.
    var goesWithoutWills: Bool { self.phase == .gone || self.phase == .leaving || self.isTurnedAway }

    /// Whether the connection has ended, and the host releases what it had.
    package var hasEnded: Bool { self.phase == .gone }

    /// The present connection of the session.
    package var successor: ConnectionID? { self.session.connection }

    /// Whether requests or sends of the client wait for their answers.
    var awaitsAnswers: Bool { self.waitingWrites > 0 || self.waitingLists > 0 || self.waitingUnhosts > 0 }

    /// Whether frames or answers are pending, so that the connection must not end yet.
    package var isOwed: Bool { self.outgoing.count > 0 || self.owesAnswers }

    /// Whether answers are due that are not in the output yet.
    var owesAnswers: Bool {
        self.awaitsAnswers || self.lagging.contains(where: \.owesAnswer)
            || self.bindings.values.contains(where: \.isOnAckList)
    }

    var hasRoom: Bool { self.isWritable && self.outgoingBytes < Self.roomBytes }

    /// Bytes that wait to be written; above a limit the shell takes no more requests.
    package var outgoingBytes: Int { self.outgoing.count + self.unwrittenBytes }

    /// Whether this number of bytes may queue; behind empty queues everything may, or a long value could never be sent.
    func hasPlace(for bytes: Int) -> Bool { self.queuedBytes == 0 || self.kept.hasPlace(for: bytes) }

    /// The queues of the subscribers grew, or shrank if the number is negative.
    func queued(_ bytes: Int) {
        self.queuedBytes += bytes
        self.kept.changed(by: bytes)
    }

    func binding(_ terminal: TerminalID) -> Binding? {
        if let recent = self.recentBinding, recent.terminal == terminal { return recent }
        guard let binding = self.bindings[terminal] else { return nil }
        self.recentBinding = binding
        return binding
    }

    func add(_ binding: Binding) {
        self.bindings[binding.terminal] = binding
    }

    func remove(_ binding: Binding) {
        self.bindings[binding.terminal] = nil
        if self.recentBinding === binding { self.recentBinding = nil }
    }

    /// The bindings whose wills apply if the connection is lost, in the order of their terminals.
    ///
    /// A client that hangs may first be too slow. Its will still applies while the `slow-consumer` end waits to be
    /// sent.
    var willing: [Binding] {
        let untold = self.departing.all.filter { $0.waitsForSlowEnd && self.bindings[$0.terminal] == nil }
        return (Array(self.bindings.values) + untold).filter { $0.will != nil }
            .sorted { $0.terminal.number < $1.terminal.number }
    }

    func lag(_ subscriber: Subscriber) {
        guard !subscriber.isLagging, self.phase != .gone else { return }
        subscriber.isLagging = true
        self.lagging.append(subscriber)
    }

    /// Serves lagging subscribers while there is room and they have units to spend.
    ///
    /// - Parameters:
    ///   - time: The time of the tick.
    ///   - units: The units that they may spend.
    ///   - deadlines: Takes the subscribers that wait for a time.
    /// - Returns: The units that they spent.
    func serveLagging(at time: Time, units: Int, deadlines: inout DeadlineQueue) -> Int {
        self.unitsLeft = units
        let before = self.outgoing.count
        var turns = self.lagging.count
        while turns > 0, self.hasRoom, self.unitsLeft > 0, let subscriber = self.lagging.popFirst() {
            turns -= 1
            subscriber.isLagging = false
            switch subscriber.serve(at: time) {
            case .served: break
            case .unserved: self.lag(subscriber)
            case .waits(let due): deadlines.insert(subscriber, due: due)
            }
            self.unitsLeft -= Work.message
        }
        return units - self.unitsLeft + Work.bytes(self.outgoing.count - before)
    }
}

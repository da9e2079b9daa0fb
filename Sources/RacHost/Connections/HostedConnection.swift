import DequeModule
import RacProtocol

/// One client's connection as the host sees it.
///
/// Guarded by the host's isolation.
package final class HostedConnection {
    /// Below this there is room for more that is not an answer; the rest waits as marks, not as bytes.
    static let roomBytes = 256 << 10

    enum Phase {
        case live
        /// The client has said bye: it is told what is due, and its wills are forgotten.
        case leaving
        /// The host ends it; what the client still says is passed over.
        case evicted
        /// The connection has left the host: what still refers to it says nothing any more.
        case gone
    }

    package let id: ConnectionID

    /// What the shell keeps for it: the host only carries it, until the shell takes it away.
    package var holder: AnyObject?

    let session: Session
    /// What the client says that it is.
    let agent: String?
    let limits: Limits

    var phase = Phase.live
    var outgoing = Outgoing()
    private(set) var bindings: [TerminalID: Binding] = [:]

    /// The binding that was asked for last: the next send is mostly for the same.
    private var recentBinding: Binding?

    /// Bindings that are over and have something left to say.
    var departing: [TerminalID: Binding] = [:]

    /// Subscribers that have something for which there was no room.
    var lagging: Deque<Subscriber> = []

    /// Whether the host has it on its list of connections that have something to write.
    var isListed = false

    /// Requests and sends whose answer waits for a commit.
    var waitingWrites = 0

    /// Those among them that are sends of terminals to which it is not bound any more.
    var waitingSends = 0

    /// What the shell was given and has not written yet, in bytes.
    var unwrittenBytes = 0

    /// What waits in its bindings' queues, in bytes.
    var queuedBytes = 0

    /// How many more names may be looked at for it in this tick, so that a large directory does not hold up the others.
    var namesLeft: Int

    /// Lists that are not answered yet.
    var waitingLists = 0

    /// Whether its socket takes more, as the shell told last.
    var isWritable = true

    init(id: ConnectionID, session: Session, agent: String? = nil, limits: Limits) {
        self.id = id
        self.session = session
        self.agent = agent
        self.limits = limits
        self.namesLeft = limits.namesPerTick
    }

    /// Whether requests or sends of the client wait for their answers.
    var awaitsAnswers: Bool { self.waitingWrites > 0 || self.waitingLists > 0 }

    /// Whether the client is to be told more before the connection may end.
    package var isOwed: Bool { self.outgoing.count > 0 || self.awaitsAnswers }

    var hasRoom: Bool { self.isWritable && self.outgoingBytes < Self.roomBytes }

    /// How many bytes wait to be written; the shell takes no more requests while there are too many.
    package var outgoingBytes: Int { self.outgoing.count + self.unwrittenBytes }

    func hasPlace(for bytes: Int) -> Bool { self.queuedBytes + bytes <= self.limits.queuedBytesPerConnection }

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

    /// The bindings whose wills are applied if the connection is lost, in their order.
    ///
    /// Whoever hangs may be too slow first: as long as the client has not been given that end, it has left its will.
    var willing: [Binding] {
        let untold = self.departing.values.filter { $0.hasEndedSlow && self.bindings[$0.terminal] == nil }
        return (Array(self.bindings.values) + untold).filter { $0.will != nil }
            .sorted { $0.terminal.number < $1.terminal.number }
    }

    func lag(_ subscriber: Subscriber) {
        guard !subscriber.isLagging, self.phase != .gone else { return }
        subscriber.isLagging = true
        self.lagging.append(subscriber)
    }

    /// Gives lagging subscribers what they wait for while there is room.
    func serveLagging(at time: Time, deadlines: inout DeadlineQueue) {
        var turns = self.lagging.count
        while turns > 0, self.hasRoom, let subscriber = self.lagging.popFirst() {
            turns -= 1
            subscriber.isLagging = false
            switch subscriber.serve(at: time) {
            case .served: break
            case .unserved: self.lag(subscriber)
            case .waits(let due): deadlines.insert(subscriber, due: due)
            }
        }
        self.namesLeft = self.limits.namesPerTick
    }
}

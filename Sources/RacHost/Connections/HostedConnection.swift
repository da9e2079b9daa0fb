import DequeModule
import RacProtocol

/// What the shell calls a connection.
package struct ConnectionID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// One client's connection as the host sees it. Guarded by the host's isolation.
package final class HostedConnection {
    /// Below this there is room for more that is not an answer; the rest waits as marks, not as bytes.
    static let roomBytes = 256 << 10

    package let id: ConnectionID
    let session: Session

    var outgoing = Outgoing()
    var bindings: [TerminalID: Binding] = [:]
    var watches: [WatchID: Watch] = [:]

    /// Subscribers that have something for which there was no room.
    var lagging: Deque<Subscriber> = []

    /// Whether the host has it on its list of connections that have something to write.
    var isListed = false

    /// Requests whose answer waits for a commit.
    var waitingRequests = 0

    /// Whether the connection has left the host: what still refers to it says nothing any more.
    var isGone = false

    /// Whether the client ends the connection in order.
    var hasSaidBye = false

    /// Whether its socket takes more, as the shell told last.
    var isWritable = true

    init(id: ConnectionID, session: Session) {
        self.id = id
        self.session = session
    }

    var hasRoom: Bool { self.isWritable && self.outgoing.count < Self.roomBytes }

    var subscriptionCount: Int { self.bindings.count + self.watches.count }

    /// How many bytes of answers wait to be written; the shell reads no more requests while there are too many.
    package var outgoingBytes: Int { self.outgoing.count }

    func lag(_ subscriber: Subscriber) {
        guard !subscriber.isLagging, !self.isGone else { return }
        subscriber.isLagging = true
        self.lagging.append(subscriber)
    }

    /// Gives lagging subscribers what they wait for while there is room; tells those that wait for a time.
    func serveLagging(at time: Time) -> [Deadline] {
        var deadlines: [Deadline] = []
        var turns = self.lagging.count
        while turns > 0, self.hasRoom, let subscriber = self.lagging.popFirst() {
            turns -= 1
            subscriber.isLagging = false
            switch subscriber.serve(at: time) {
            case .served: break
            case .unserved: self.lag(subscriber)
            case .waits(let due): deadlines.append(Deadline(due: due, subscriber: subscriber))
            }
        }
        return deadlines
    }
}

/// When a subscriber may be served again.
struct Deadline: Comparable {
    let due: UInt64
    let subscriber: Subscriber

    static func < (left: Deadline, right: Deadline) -> Bool { left.due < right.due }
    static func == (left: Deadline, right: Deadline) -> Bool { left.due == right.due }
}

/// Something of a connection that gets frames without asking for each. Guarded by the host's isolation.
class Subscriber {
    let connection: HostedConnection
    fileprivate(set) var isLagging = false

    init(connection: HostedConnection) {
        self.connection = connection
    }

    enum OnServed {
        case served
        /// There is more for which there was no room.
        case unserved
        /// The rest waits for this time.
        case waits(UInt64)
    }

    /// Gives the connection what waits.
    func serve(at time: Time) -> OnServed { .served }
}

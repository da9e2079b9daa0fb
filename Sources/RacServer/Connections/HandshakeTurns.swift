import DequeModule
import RacHost

/// The order in which the connections of one loop go on with their TLS handshakes, in nanoseconds.
///
/// A step of a handshake computes for a fraction of a millisecond, with a long RSA key for some milliseconds. A turn has time
/// for some steps, and the loop reads its sockets before the next turn. So thousands of clients that come at once delay the
/// others by a turn at most.
struct HandshakeTurns: Sendable {
    /// The time for handshakes in one turn; the last step may exceed it.
    static let nanosecondsPerTurn: Int64 = 2_000_000

    private var line: Deque<ConnectionID> = []
    private var spent: Int64 = 0

    /// Whether a connection waits for another turn.
    var isWaiting: Bool { !self.line.isEmpty }

    /// Whether a connection need not wait.
    var admits: Bool { self.line.isEmpty && self.hasRoom }

    private var hasRoom: Bool { self.spent < Self.nanosecondsPerTurn }

    /// The loop has read its sockets.
    mutating func begin() {
        self.spent = 0
    }

    /// A step has taken this time.
    mutating func spend(_ nanoseconds: Int64) {
        self.spent += nanoseconds
    }

    /// A connection waits behind those that came before.
    mutating func wait(_ connection: ConnectionID) {
        self.line.append(connection)
    }

    /// The next connection that may go on in this turn, which leaves the line.
    mutating func next() -> ConnectionID? {
        self.hasRoom ? self.line.popFirst() : nil
    }
}

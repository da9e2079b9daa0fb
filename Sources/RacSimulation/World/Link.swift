import DequeModule
import NIOCore

/// One connection between a client and a daemon, with the bytes that are under way.
final class Link {
    enum Side {
        case client
        case daemon
    }

    enum Direction {
        /// From the client to the daemon.
        case up
        case down
    }

    struct Pipe {
        /// Pieces that are under way.
        var pieces: Deque<ByteBuffer> = []
        /// Bytes that have arrived and were not read.
        var unread: [ByteBuffer] = []
        /// The time when the last piece arrives.
        var lastArrival: Microseconds = 0
        /// The number of pieces so far.
        var count = 0
        /// The bytes that were sent and not read.
        var outstanding = 0
    }

    /// Counts the connections of a history.
    let number: Int
    let client: Int
    /// The life of the daemon to which the connection leads.
    let life: Int

    var up = Pipe()
    var down = Pipe()

    /// Whether the network drops everything.
    var isSilent = false

    /// Whether each side still has the connection.
    var clientHasIt = true
    var daemonHasIt = false

    /// Whether the client finds the end behind the bytes that it has not read.
    var isOverBehindBytes = false

    /// Whether the daemon's socket takes more bytes.
    var isWritable = true

    init(number: Int, client: Int, life: Int) {
        self.number = number
        self.client = client
        self.life = life
    }
}

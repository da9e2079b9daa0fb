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
        /// What has arrived and was not read.
        var unread: [ByteBuffer] = []
        /// When the last of it arrives.
        var lastArrival: Microseconds = 0
        /// How many pieces there have been.
        var count = 0
        /// What was sent and not read, in bytes.
        var outstanding = 0
    }

    /// Counts the connections of a history.
    let number: Int
    let client: Int
    /// Which life of the daemon it goes to.
    let life: Int

    var up = Pipe()
    var down = Pipe()

    /// Whether nothing passes any more.
    var isSilent = false

    /// Whether each side has the connection still.
    var clientHasIt = true
    var daemonHasIt = false

    /// Whether the client finds the end when it has read what is there.
    var isOverBehindBytes = false

    /// Whether the daemon takes more to write.
    var isWritable = true

    init(number: Int, client: Int, life: Int) {
        self.number = number
        self.client = client
        self.life = life
    }
}

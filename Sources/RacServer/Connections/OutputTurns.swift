import DequeModule
import RacHost

/// The order in which the connections of one loop write to their sockets, in units of work.
///
/// A turn has units for all writes. A connection with bytes beyond them waits in a line, and the loop reads its sockets
/// before the next turn. Connections with few bytes have a line of their own, because an answer of some bytes must not wait
/// for long values of others.
///
/// Semantics: protocol.md, "Turns".
struct OutputTurns: Sendable {
    /// The most bytes that a connection in the line writes before others write theirs.
    static let bytesAtOnce = 256 << 10

    /// A connection that has no more bytes than this waits in the line of those with few.
    static let fewBytes = 4 << 10

    /// A connection that waits for a turn gets more output up to this number of bytes.
    static let roomBytes = 64 << 10

    /// The units of a turn, of about 100 ns each.
    static let units = 20_000

    private var work = WorkTurn(units: Self.units, unitsOfClient: Self.units)
    private var withFew: Deque<ConnectionID> = []
    private var withMany: Deque<ConnectionID> = []

    /// Whether more may be written in this turn.
    @inline(__always)
    var hasRoom: Bool { self.work.hasRoom }

    /// Whether a connection waits for another turn.
    var isWaiting: Bool { !self.withFew.isEmpty || !self.withMany.isEmpty }

    /// One write of this number of bytes was tried: a system call, and the copy into the memory of the kernel.
    @inline(__always)
    mutating func wrote(_ bytes: Int) {
        self.work.spend(16 + bytes >> 5)
    }

    /// A connection that is in no line has this number of bytes for later turns.
    mutating func waits(_ connection: ConnectionID, bytes: Int) {
        if bytes <= Self.fewBytes { self.withFew.append(connection) } else { self.withMany.append(connection) }
    }

    /// The loop has read its sockets.
    mutating func beginTurn() {
        self.work.begin()
    }

    /// The next connection that may write in this turn, which leaves its line.
    ///
    /// Connections with few bytes have the first half of a turn.
    mutating func next() -> ConnectionID? {
        guard self.work.hasRoom else { return nil }
        if self.work.room > Self.units / 2, let connection = self.withFew.popFirst() { return connection }
        return self.withMany.popFirst() ?? self.withFew.popFirst()
    }
}

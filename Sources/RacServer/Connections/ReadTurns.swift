import DequeModule
import RacHost

/// Shares the time that one loop spends on reading its clients' bytes, until they are messages.
///
/// Receiving, scanning, inflating and decoding cost units of a turn, which lasts until the loop has polled its sockets again.
/// A client beyond its units waits in a line. The next turn divides its units evenly among the clients in the line. Clients
/// with few bytes have a line of their own, which comes first and leaves a part of the turn to the other. So a client with few
/// messages waits for one turn only, whatever number of others sends a lot.
///
/// One frame, or the body of one request, may take longer than a turn. Such bytes are read apart from the loop, one frame or
/// body at a time, because two at once would take twice the memory.
///
/// Semantics: protocol.md, "Turns".
struct ReadTurns: Sendable {
    /// The units of a turn: some 2 ms of short messages in a release build.
    static let units = 6_000
    /// The units of a turn for one client: a whole read of short messages, but for the very shortest.
    static let unitsOfClient = 3_000
    /// A client with more bytes than these waits in the line of those with many.
    static let fewBytes = 4 << 10

    /// The connections whose units were spent, the next one first; each at most once.
    private struct Line {
        var connections: Deque<ConnectionID> = []
        /// The number of connections at the front that have yet to get this turn.
        var due = 0

        mutating func next() -> ConnectionID? {
            guard self.due > 0 else { return nil }
            self.due -= 1
            return self.connections.popFirst()
        }
    }

    private var turn = WorkTurn(units: Self.units, unitsOfClient: Self.unitsOfClient)

    private var withFew = Line()
    private var withMany = Line()

    /// Whether a long frame or body is being read.
    private var isReading = false
    /// The connections with a long frame or body, the next one first; each at most once.
    private var lineApart: Deque<ConnectionID> = []

    /// Whether a connection waits for the next turn.
    var isWaiting: Bool { !self.withFew.connections.isEmpty || !self.withMany.connections.isEmpty }
}

// MARK: Turns

extension ReadTurns {
    /// A tick begins.
    mutating func begin() {
        self.turn.begin()
    }

    /// Work was done for a client.
    mutating func spend(_ units: Int, by share: inout WorkTurn.Share) {
        self.turn.spend(units, by: &share)
    }

    /// The units that a client may spend that was not in the line.
    func room(for share: WorkTurn.Share) -> Int { self.turn.newRoom(for: share) }

    /// The units that the client may spend that `next()` gave last.
    func roomInLine(for share: WorkTurn.Share) -> Int {
        self.turn.room(for: share, among: self.withFew.due + self.withMany.due + 1)
    }

    /// A client has spent its units: it waits behind those that wait already.
    ///
    /// - Parameters:
    ///   - connection: The client's connection, which is in no line.
    ///   - bytes: The client's bytes that have yet to become messages.
    mutating func wait(_ connection: ConnectionID, bytes: Int) {
        if bytes <= Self.fewBytes {
            self.withFew.connections.append(connection)
        } else {
            self.withMany.connections.append(connection)
        }
    }

    /// The sockets have been polled: those in the line get this turn.
    mutating func polled() {
        self.withFew.due = self.withFew.connections.count
        self.withMany.due = self.withMany.connections.count
    }

    /// The next connection of this turn; nil if each has had it, or the units are spent.
    mutating func next() -> ConnectionID? {
        guard self.turn.hasRoom else { return nil }
        if self.turn.hasRoomForLight, let connection = self.withFew.next() { return connection }
        return self.withMany.next() ?? self.withFew.next()
    }
}

// MARK: Long frames and bodies

extension ReadTurns {
    /// A connection has a long frame or body.
    mutating func waitApart(_ connection: ConnectionID) {
        self.lineApart.append(connection)
    }

    /// The next connection with a long frame or body; nil if one is being read, or there is none.
    mutating func nextApart() -> ConnectionID? {
        self.isReading ? nil : self.lineApart.popFirst()
    }

    /// A long frame or body is being read from now on.
    mutating func beganApart() {
        self.isReading = true
    }

    /// The long frame or body has been read.
    mutating func endedApart() {
        self.isReading = false
    }
}

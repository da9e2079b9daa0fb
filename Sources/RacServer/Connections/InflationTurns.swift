import RacHost

/// How much is inflated between two looks of a loop at its sockets, and whose frames wait for the next turn, in the order
/// in which they came.
///
/// A compressed frame can inflate to a thousand times its length: a few of them must not keep everybody waiting. One frame
/// is inflated at a time, over as many turns as it takes: two at once would take twice the memory.
///
/// Semantics: protocol.md, "Limits".
struct InflationTurns: Sendable {
    /// What zlib takes and gives in a turn, in bytes.
    static let bytesPerTurn = 1 << 20

    private var room = Self.bytesPerTurn
    /// Whose frame is begun and goes on with the next turn.
    private var begun: ConnectionID?
    /// Whether that has not had this turn.
    private var isBegunDue = false
    /// Who waits to begin one; at most one entry for each connection.
    private var waiting: [ConnectionID] = []
    /// How many of those that wait have had this turn.
    private var passed = 0

    /// Whether somebody waits for a turn.
    var isWaiting: Bool { self.begun != nil || self.passed < self.waiting.count }

    /// A connection has a frame that is not begun, or it is its turn: how much of it may be inflated now; if nothing, it
    /// waits.
    mutating func asks(_ connection: ConnectionID) -> Int {
        if self.room > 0, self.begun == nil || self.begun == connection { return self.room }
        if self.begun != connection { self.waiting.append(connection) }
        return 0
    }

    /// So much was inflated of a connection's frame; what is left of it waits for the next turn.
    mutating func inflated(_ bytes: Int, for connection: ConnectionID, isWhole: Bool) {
        self.room = max(0, self.room - bytes)
        self.begun = isWhole ? nil : connection
        self.isBegunDue = false
    }

    /// The loop has looked at its sockets.
    mutating func beginTurn() {
        self.room = Self.bytesPerTurn
        self.isBegunDue = self.begun != nil
        self.waiting.removeFirst(self.passed)
        self.passed = 0
    }

    /// Who is the next of this turn; nil if that is over.
    mutating func next() -> ConnectionID? {
        if self.isBegunDue {
            self.isBegunDue = false
            return self.begun
        }
        guard self.begun == nil, self.room > 0, self.passed < self.waiting.count else { return nil }
        self.passed += 1
        return self.waiting[self.passed - 1]
    }

    /// A connection wants nothing more inflated.
    mutating func leaves(_ connection: ConnectionID) {
        if self.begun == connection { (self.begun, self.isBegunDue) = (nil, false) }
        guard let place = self.waiting[self.passed...].firstIndex(of: connection) else { return }
        self.waiting.remove(at: place)
    }
}

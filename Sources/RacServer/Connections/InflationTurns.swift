import RacHost

/// Limits the bytes that a loop inflates between two looks at its sockets.
///
/// The connections' frames take turns, in the order of their coming.
///
/// A compressed frame can inflate to a thousand times its length: a few of them must not delay the other clients. One
/// frame is inflated at a time, over as many turns as it takes, because two at once would take twice the memory.
///
/// Semantics: protocol.md, "Limits".
struct InflationTurns: Sendable {
    /// The bytes that zlib takes and gives in a turn.
    static let bytesPerTurn = 1 << 20

    private var room = Self.bytesPerTurn
    /// The connection whose frame is begun and goes on with the next turn.
    private var begun: ConnectionID?
    /// Whether that connection has yet to get this turn.
    private var isBegunDue = false
    /// The connections that wait to begin a frame, each at most once.
    private var waiting: [ConnectionID] = []
    /// The number of waiting connections that have had this turn.
    private var passed = 0

    /// Whether a connection waits for a turn.
    var isWaiting: Bool { self.begun != nil || self.passed < self.waiting.count }

    /// A connection has a frame that is not begun, or gets its turn.
    ///
    /// Returns the bytes that it may inflate now; at 0 it waits.
    mutating func asks(_ connection: ConnectionID) -> Int {
        if self.room > 0, self.begun == nil || self.begun == connection { return self.room }
        if self.begun != connection { self.waiting.append(connection) }
        return 0
    }

    /// A connection's frame was inflated by this number of bytes; the rest waits for the next turn.
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

    /// The next connection of this turn; nil if the turn is over.
    mutating func next() -> ConnectionID? {
        if self.isBegunDue {
            self.isBegunDue = false
            return self.begun
        }
        guard self.begun == nil, self.room > 0, self.passed < self.waiting.count else { return nil }
        self.passed += 1
        return self.waiting[self.passed - 1]
    }

    /// A connection wants no more bytes inflated.
    mutating func leaves(_ connection: ConnectionID) {
        if self.begun == connection { (self.begun, self.isBegunDue) = (nil, false) }
        guard let place = self.waiting[self.passed...].firstIndex(of: connection) else { return }
        self.waiting.remove(at: place)
    }
}

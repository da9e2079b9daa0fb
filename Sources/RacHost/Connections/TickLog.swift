import RacProtocol

/// The frames that all subscribers of one side or pattern get in this tick, encoded once.
///
/// A subscriber keeps a place in the log: the frames behind it are new to the subscriber.
struct TickLog {
    /// The most bytes for which room is made at once: a read of a socket mostly has fewer.
    private static let mostReserved = 8 << 10

    private var frames = FrameBytes()
    private var base: UInt64 = 0

    /// The place behind the newest frame.
    private(set) var end: UInt64 = 0

    var byteCount: Int { self.frames.count }

    mutating func append(_ valuation: Valuation, of terminal: TerminalID) {
        self.frames.append(valuation, of: terminal)
        self.end = self.base + UInt64(self.frames.count)
    }

    /// Appends a value from where its JSON stands.
    mutating func append(_ value: Span<UInt8>, as revision: Revision, of terminal: TerminalID) {
        self.frames.append(value, as: revision, of: terminal)
        self.end = self.base + UInt64(self.frames.count)
    }

    /// Makes room for values whose sends have about this many bytes.
    mutating func reserve(_ bytes: Int) {
        self.frames.reservePlain(min(bytes, Self.mostReserved))
    }

    /// The frames behind a place of this tick; nil if there are none.
    func frames(from place: UInt64) -> FrameBytes? {
        let place = max(place, self.base)
        return place < self.end ? self.frames.suffix(from: Int(place - self.base)) : nil
    }

    mutating func endTick() {
        self.base = self.end
        self.frames.removeAll()
    }
}

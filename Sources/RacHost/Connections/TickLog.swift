import RacProtocol

/// The frames that everybody subscribed to one thing gets in this tick, encoded once.
///
/// A subscriber remembers a place in the log; what stands behind it is what the subscriber has not been given.
struct TickLog {
    private var frames = FrameBytes()
    private var base: UInt64 = 0

    /// The place behind the newest frame.
    private(set) var end: UInt64 = 0

    mutating func append(_ message: ServerMessage) {
        self.frames.append(message)
        self.end = self.base + UInt64(self.frames.count)
    }

    mutating func append(_ valuation: Valuation, of terminal: TerminalID) {
        self.frames.append(valuation, of: terminal)
        self.end = self.base + UInt64(self.frames.count)
    }

    /// The same for a value, which is JSON, where it stands.
    mutating func append(_ value: Span<UInt8>, as revision: Revision, of terminal: TerminalID) {
        self.frames.append(value, as: revision, of: terminal)
        self.end = self.base + UInt64(self.frames.count)
    }

    /// What stands behind a place of this tick; nil if nothing does.
    func frames(from place: UInt64) -> FrameBytes? {
        let place = max(place, self.base)
        return place < self.end ? self.frames.suffix(from: Int(place - self.base)) : nil
    }

    mutating func endTick() {
        self.base = self.end
        self.frames.removeAll()
    }
}

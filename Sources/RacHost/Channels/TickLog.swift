import RacProtocol

/// The frames that everybody subscribed to one thing gets in this tick, encoded once.
///
/// A subscriber remembers a place in the log; what stands behind it is what the subscriber has not been given.
struct TickLog {
    private var frames = FrameBytes()
    private var base: UInt64 = 0

    /// The place behind the newest frame.
    var end: UInt64 { self.base + UInt64(self.frames.count) }

    mutating func append(_ message: ServerMessage) {
        self.frames.append(message)
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

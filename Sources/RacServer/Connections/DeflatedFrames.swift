package import RacProtocol

/// What was compressed in this tick, so that bytes which many connections share are compressed once.
///
/// It is only so much: a request of some bytes can ask for a long value, and compressing it for many would keep everybody
/// waiting. What is more goes as it is, which the protocol allows for every frame.
package struct DeflatedFrames {
    /// Payloads from here on are compressed.
    package static let threshold = 1 << 10

    /// How many bytes are compressed in a tick.
    static let bytesPerTick = 1 << 20

    /// Where the plain bytes are; they stay there while the entry keeps them.
    private struct Place: Hashable {
        let address: UnsafeRawPointer?
        let count: Int
    }

    private var room = Self.bytesPerTick
    private var entries: [Place: (plain: FrameBytes, deflated: FrameBytes)] = [:]

    package init() {}

    /// The same frames, those compressed that are worth it.
    package mutating func deflated(_ frames: FrameBytes) -> FrameBytes {
        guard frames.count >= Self.threshold else { return frames }
        let place = frames.withUnsafeBytes { Place(address: $0.baseAddress, count: $0.count) }
        if let entry = self.entries[place] { return entry.deflated }
        guard frames.count <= self.room else { return frames }
        self.room -= frames.count
        let deflated = frames.deflated(from: Self.threshold)
        self.entries[place] = (frames, deflated)
        return deflated
    }

    /// Forgets all of it.
    package mutating func endTick() {
        guard !self.entries.isEmpty else { return }
        self.entries = [:]
        self.room = Self.bytesPerTick
    }
}

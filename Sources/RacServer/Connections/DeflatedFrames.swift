package import RacProtocol

/// The frames compressed in this tick, so that bytes which many connections share are compressed once.
///
/// The bytes have a limit: a request of some bytes can ask for a long value, and compressing it for many would delay
/// all clients. Bytes beyond the limit go uncompressed, which the protocol allows for every frame.
package struct DeflatedFrames {
    /// Payloads from here on are compressed.
    package static let threshold = 1 << 10

    /// The number of bytes that a tick compresses.
    ///
    /// zlib takes some milliseconds for them.
    static let bytesPerTick = 256 << 10

    /// Where the plain bytes are; they stay there while the entry keeps them.
    private struct Place: Hashable {
        let address: UnsafeRawPointer?
        let count: Int
    }

    private var room = Self.bytesPerTick
    private var entries: [Place: (plain: FrameBytes, deflated: FrameBytes)] = [:]

    package init() {}

    /// Compresses the frames that are worth it and leaves the others.
    package mutating func deflated(_ frames: FrameBytes) -> FrameBytes {
        guard frames.count >= Self.threshold else { return frames }
        let place = Place(address: frames.address, count: frames.count)
        if let entry = self.entries[place] { return entry.deflated }
        guard frames.count <= self.room else { return frames }
        self.room -= frames.count
        let deflated = frames.deflated(from: Self.threshold)
        self.entries[place] = (frames, deflated)
        return deflated
    }

    /// Forgets the compressed frames.
    package mutating func endTick() {
        guard !self.entries.isEmpty else { return }
        self.entries = [:]
        self.room = Self.bytesPerTick
    }
}

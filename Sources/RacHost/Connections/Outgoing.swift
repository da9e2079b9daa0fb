import RacProtocol

/// What waits to be written to one connection, in its order.
///
/// Frames that are shared with other connections stay shared as long as they are alone; small ones behind others are
/// copied together, because one long write is cheaper than many short ones.
struct Outgoing {
    private static let smallBytes = 16 << 10

    private var pieces: [FrameBytes] = []
    private(set) var count = 0

    mutating func append(_ message: ServerMessage) {
        if !self.takesMore(0) { self.pieces.append(FrameBytes()) }
        let last = self.pieces.count - 1
        self.count -= self.pieces[last].count
        self.pieces[last].append(message)
        self.count += self.pieces[last].count
    }

    mutating func append(_ frames: FrameBytes) {
        self.count += frames.count
        if self.takesMore(frames.count) {
            self.pieces[self.pieces.count - 1].append(frames)
        } else {
            self.pieces.append(frames)
        }
    }

    /// All of it, for one write.
    mutating func take() -> [FrameBytes] {
        defer { self = Outgoing() }
        return self.pieces
    }

    /// Whether so many bytes fit to the last piece.
    private func takesMore(_ bytes: Int) -> Bool {
        // Without a copy of the last piece, or appending to it would copy its bytes.
        !self.pieces.isEmpty && self.pieces[self.pieces.count - 1].count + bytes <= Self.smallBytes
    }
}

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
        self.count -= self.openPiece()
        self.pieces[self.pieces.count - 1].append(message)
        self.count += self.pieces[self.pieces.count - 1].count
    }

    mutating func append(_ frames: FrameBytes) {
        self.count += frames.count
        if let last = self.pieces.last, last.count + frames.count <= Self.smallBytes {
            self.pieces[self.pieces.count - 1].append(frames)
        } else {
            self.pieces.append(frames)
        }
    }

    /// All of it, for one write.
    mutating func take() -> [FrameBytes] {
        defer {
            self.pieces = []
            self.count = 0
        }
        return self.pieces
    }

    /// Sees to a last piece that is small enough to be added to; tells its size.
    private mutating func openPiece() -> Int {
        if let last = self.pieces.last, last.count <= Self.smallBytes { return last.count }
        self.pieces.append(FrameBytes())
        return 0
    }
}

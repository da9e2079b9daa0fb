package import RacProtocol

/// What waits to be written to one connection, in its order: pieces, each for one write.
///
/// Frames that are shared with other connections stay shared as long as they are alone; small ones behind others are
/// copied together, because one long write is cheaper than many short ones.
package struct Outgoing: Sequence, Sendable {
    private static let smallBytes = 16 << 10

    /// The pieces that are full; mostly there is none, and no array has to be made.
    private var full: [FrameBytes] = []
    private var last = FrameBytes()
    package private(set) var count = 0

    package var isEmpty: Bool { self.count == 0 }

    mutating func append(_ message: ServerMessage) {
        self.append { $0.append(message) }
    }

    /// Appends what the closure appends to the last piece: a short frame without memory of its own.
    @inline(__always)
    mutating func append(_ write: (inout FrameBytes) -> Void) {
        if !self.lastTakes(0) { self.begin(FrameBytes()) }
        let before = self.last.count
        write(&self.last)
        self.count += self.last.count - before
    }

    mutating func append(_ frames: consuming FrameBytes) {
        self.count += frames.count
        if self.lastTakes(frames.count) { self.last.append(frames) } else { self.begin(frames) }
    }

    /// All of it, which is then gone from here.
    mutating func take() -> Outgoing {
        var taken = Outgoing()
        swap(&taken, &self)
        return taken
    }

    /// Whether so many bytes fit to the last piece, if there is one.
    private func lastTakes(_ bytes: Int) -> Bool {
        !self.last.isEmpty && self.last.count + bytes <= Self.smallBytes
    }

    private mutating func begin(_ piece: consuming FrameBytes) {
        if !self.last.isEmpty { self.full.append(self.last) }
        self.last = piece
    }

    /// As of any sequence, but without a copy of it.
    package func forEach(_ body: (FrameBytes) -> Void) {
        if !self.full.isEmpty { self.full.forEach(body) }
        if !self.last.isEmpty { body(self.last) }
    }

    package func makeIterator() -> IndexingIterator<[FrameBytes]> {
        (self.full + (self.last.isEmpty ? [] : [self.last])).makeIterator()
    }
}

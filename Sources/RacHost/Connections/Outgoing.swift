package import RacProtocol

/// The pending bytes of one connection, in pieces for one write each.
///
/// A frame that is shared with other connections stays shared while it is a piece alone. Small frames behind others are
/// copied together: one long write is cheaper than many short ones.
package struct Outgoing: Sequence, Sendable {
    private static let smallBytes = 16 << 10

    /// The full pieces; mostly there is none, which saves the array.
    private var full: [FrameBytes] = []
    private var last = FrameBytes()
    /// The answer that comes before the pieces, in memory of its own: few connections have one.
    package private(set) var reply: TakenReply?
    package private(set) var count = 0

    package var isEmpty: Bool { self.count == 0 }

    /// Begins with an answer as it is: its reader needs no frame.
    mutating func begin(_ reply: TakenReply) {
        self.reply = reply
        self.count += reply.byteCount
    }

    mutating func append(_ message: ServerMessage) {
        self.append { $0.append(message) }
    }

    /// Lets the closure append to the last piece: a short frame needs no memory of its own.
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

    /// Takes all pieces.
    mutating func take() -> Outgoing {
        var taken = Outgoing()
        swap(&taken, &self)
        return taken
    }

    /// Whether the last piece exists and has room for this number of bytes.
    private func lastTakes(_ bytes: Int) -> Bool {
        !self.last.isEmpty && self.last.count + bytes <= Self.smallBytes
    }

    private mutating func begin(_ piece: consuming FrameBytes) {
        if !self.last.isEmpty { self.full.append(self.last) }
        self.last = piece
    }

    /// Calls the closure with each piece, without a copy of the sequence.
    package func forEach(_ body: (FrameBytes) -> Void) {
        if !self.full.isEmpty { self.full.forEach(body) }
        if !self.last.isEmpty { body(self.last) }
    }

    package func makeIterator() -> IndexingIterator<[FrameBytes]> {
        (self.full + (self.last.isEmpty ? [] : [self.last])).makeIterator()
    }
}

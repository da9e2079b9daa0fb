package import RacProtocol

/// What waits to be written to one connection, in its order: pieces, each for one write.
///
/// Frames that are shared with other connections stay shared as long as they are alone; small ones behind others are
/// copied together, because one long write is cheaper than many short ones.
package struct Outgoing: Sequence, Sendable {
    private static let smallBytes = 16 << 10

    // Mostly there is one piece: no array has to be made for that.
    private var first: FrameBytes?
    private var others: [FrameBytes] = []
    package private(set) var count = 0

    package var isEmpty: Bool { self.count == 0 }

    mutating func append(_ message: ServerMessage) {
        guard self.lastTakes(0) else { return self.begin(FrameBytes(message)) }
        let before = self.last?.count ?? 0
        if self.others.isEmpty {
            self.first?.append(message)
        } else {
            self.others[self.others.count - 1].append(message)
        }
        self.count += (self.last?.count ?? 0) - before
    }

    mutating func append(_ frames: FrameBytes) {
        guard self.lastTakes(frames.count) else { return self.begin(frames) }
        if self.others.isEmpty {
            self.first?.append(frames)
        } else {
            self.others[self.others.count - 1].append(frames)
        }
        self.count += frames.count
    }

    /// All of it, which is then gone from here.
    mutating func take() -> Outgoing {
        defer { self = Outgoing() }
        return self
    }

    private var last: FrameBytes? { self.others.last ?? self.first }

    /// Whether so many bytes fit to the last piece.
    private func lastTakes(_ bytes: Int) -> Bool {
        self.last.map { $0.count + bytes <= Self.smallBytes } ?? false
    }

    private mutating func begin(_ piece: FrameBytes) {
        self.count += piece.count
        if case nil = self.first { self.first = piece } else { self.others.append(piece) }
    }

    /// As of any sequence, but without a copy of it.
    package func forEach(_ body: (FrameBytes) -> Void) {
        if let first { body(first) }
        for piece in self.others { body(piece) }
    }

    package func makeIterator() -> Iterator { Iterator(outgoing: self) }

    package struct Iterator: IteratorProtocol {
        fileprivate let outgoing: Outgoing
        private var position = -1

        fileprivate init(outgoing: Outgoing) {
            self.outgoing = outgoing
        }

        package mutating func next() -> FrameBytes? {
            defer { self.position += 1 }
            guard self.position >= 0 else { return self.outgoing.first }
            return self.position < self.outgoing.others.count ? self.outgoing.others[self.position] : nil
        }
    }
}

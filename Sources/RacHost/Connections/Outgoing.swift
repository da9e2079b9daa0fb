package import RacProtocol

/// The pending output of one connection: frames, or messages for a connection that writes them in a form of its own.
///
/// Frames are pieces for one write each. A frame that is shared with other connections stays shared while it is a piece
/// alone. Small frames behind others are copied together: one long write is cheaper than many short ones.
package struct Outgoing: Sequence, Sendable {
    private static let smallBytes = 16 << 10

    /// The full pieces; mostly there is none, which saves the array.
    private var full: [FrameBytes] = []
    private var last = FrameBytes()
    /// The messages; nil if the connection takes frames.
    package private(set) var messages: [ServerMessage]?
    package private(set) var count = 0

    package var isEmpty: Bool { self.count == 0 }

    /// Whether the connection takes messages instead of frames.
    var takesMessages: Bool { self.messages != nil }

    init(takesMessages: Bool = false) {
        self.messages = takesMessages ? [] : nil
    }

    mutating func append(_ message: ServerMessage) {
        guard !self.takesMessages else { return self.append(MessageList(message)) }
        self.appendFrame { $0.append(message) }
    }

    /// Appends the `ack` of all sends of a terminal up to this one.
    mutating func append(ackOf number: SendNumber, of terminal: TerminalID, as revision: Revision) {
        guard !self.takesMessages else { return self.append(.ack(terminal, number, revision)) }
        self.appendFrame { $0.append(ackOf: number, of: terminal, as: revision) }
    }

    /// Appends messages to others; the first ones stay shared with other connections.
    mutating func append(_ list: MessageList) {
        self.count += list.byteCount
        if self.messages?.isEmpty ?? true { self.messages = list.messages } else { self.messages? += list.messages }
    }

    /// Lets the closure append to the last piece: a short frame needs no memory of its own.
    @inline(__always)
    private mutating func appendFrame(_ write: (inout FrameBytes) -> Void) {
        if !self.lastTakes(0) { self.begin(FrameBytes()) }
        let before = self.last.count
        write(&self.last)
        self.count += self.last.count - before
    }

    mutating func append(_ frames: consuming FrameBytes) {
        self.count += frames.count
        if self.lastTakes(frames.count) { self.last.append(frames) } else { self.begin(frames) }
    }

    /// Appends the output of a part of the connection.
    mutating func append(_ other: Outgoing) {
        guard let messages = other.messages else { return other.forEach { self.append($0) } }
        self.append(MessageList(messages, byteCount: other.count))
    }

    /// Takes all pieces, or all messages.
    mutating func take() -> Outgoing {
        var taken = Outgoing(takesMessages: self.takesMessages)
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

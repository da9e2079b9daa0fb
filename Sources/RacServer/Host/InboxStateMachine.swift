import DequeModule

/// Messages of a client that the host has not taken, because the client does not read its answers.
///
/// The window that the connection's loop keeps bounds their number.
package struct InboxStateMachine<Words: Sendable>: Sendable {
    private var waiting: Deque<Words> = []
    private var isComplete = false

    /// Whether a message waits to be taken.
    package var isWaiting: Bool { !self.waiting.isEmpty }

    /// Whether the client sends nothing more and every message was taken.
    var isThrough: Bool { self.isComplete && !self.isWaiting }

    mutating func said(_ words: Words) {
        self.waiting.append(words)
    }

    /// Puts back what was not taken of the oldest message.
    mutating func putBack(_ words: Words) {
        self.waiting.prepend(words)
    }

    mutating func saidAll() {
        self.isComplete = true
    }

    /// The oldest message, which stays; nil if none waits.
    var first: Words? { self.waiting.first }

    /// Takes the oldest message; nil if none waits.
    mutating func next() -> Words? {
        guard let words = self.waiting.popFirst() else { return nil }
        if self.waiting.isEmpty { self.clear() }
        return words
    }

    /// Drops all messages that wait; returns the newest one.
    @discardableResult
    mutating func clear() -> Words? {
        defer { self.waiting = [] }
        return self.waiting.last
    }
}

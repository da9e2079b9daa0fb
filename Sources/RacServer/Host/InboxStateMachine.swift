/// What a client said and the host has not taken, because the client does not read its answers.
///
/// What may wait here is bounded by the window that the connection's loop keeps.
struct InboxStateMachine<Words: Sendable>: Sendable {
    private var waiting: [Words] = []
    private var takenCount = 0
    private var isComplete = false

    /// Whether something waits to be taken.
    var isWaiting: Bool { !self.waiting.isEmpty }

    /// Whether the client has said all, and all of it was taken.
    var isThrough: Bool { self.isComplete && !self.isWaiting }

    mutating func said(_ words: Words) {
        self.waiting.append(words)
    }

    mutating func saidAll() {
        self.isComplete = true
    }

    /// The next words; nil if none wait.
    mutating func next() -> Words? {
        guard self.takenCount < self.waiting.count else { return nil }
        defer { if self.takenCount == self.waiting.count { self.clear() } }
        self.takenCount += 1
        return self.waiting[self.takenCount - 1]
    }

    /// Forgets what waits.
    mutating func clear() {
        self.waiting = []
        self.takenCount = 0
    }
}

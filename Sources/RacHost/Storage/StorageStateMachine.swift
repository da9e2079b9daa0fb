import RacProtocol

/// Tracks which changes are on disk, and whether the disk takes more.
///
/// Changes are gathered in batches; the number of a batch is its ticket.
package struct StorageStateMachine: Sendable {
    package enum Condition: Equatable, Sendable {
        /// The daemon keeps everything in memory.
        case memory
        case well
        case failing(String)
    }

    package private(set) var condition: Condition

    /// The batch under way.
    package private(set) var ticket: UInt64 = 1
    private var committed: UInt64 = 0
    private var hasChanges = false
    /// The newest batch that the disk has failed to take.
    private var failedThrough: UInt64 = 0

    /// Whether an answer waits for the batch under way.
    package private(set) var isAwaited = false

    package init(isStored: Bool) {
        self.condition = isStored ? .well : .memory
    }

    /// A channel changed in this tick.
    package mutating func changed() {
        self.hasChanges = true
    }

    /// The ticket whose commit covers all changes so far; nil if all are on disk, or nothing is stored.
    package var outstanding: UInt64? {
        let last = self.hasChanges ? self.ticket : self.ticket - 1
        return self.condition == .memory || last <= self.committed ? nil : last
    }

    /// The ticket for an answer that waits for it, so that the store hurries.
    package mutating func awaitOutstanding() -> UInt64? {
        let outstanding = self.outstanding
        if outstanding == self.ticket { self.isAwaited = true }
        return outstanding
    }

    /// Closes the batch under way; nil if it is empty, or nothing is stored.
    package mutating func closeBatch() -> UInt64? {
        guard self.hasChanges else { return nil }
        self.hasChanges = false
        self.isAwaited = false
        guard self.condition != .memory else { return nil }
        defer { self.ticket += 1 }
        return self.ticket
    }

    package mutating func committed(through ticket: UInt64) {
        self.committed = max(self.committed, ticket)
    }

    package mutating func failing(_ why: String, through ticket: UInt64) {
        self.condition = .failing(why)
        self.failedThrough = max(self.failedThrough, ticket)
    }

    /// The reason why a batch is not on disk; nil unless the store has reported that, and the disk still fails.
    package func failure(of ticket: UInt64) -> String? {
        guard case .failing(let why) = self.condition, ticket <= self.failedThrough else { return nil }
        return why
    }

    package mutating func recovered() {
        self.condition = .well
    }
}

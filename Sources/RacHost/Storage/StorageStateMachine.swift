import RacProtocol

/// Which changes are on disk, and whether the disk takes more.
///
/// Changes are gathered in batches, one a tick at most; a batch's number is its ticket.
package struct StorageStateMachine: Sendable {
    package enum Condition: Equatable, Sendable {
        /// Nothing is kept.
        case memory
        case well
        case failing(String)
    }

    package private(set) var condition: Condition

    /// The batch that is gathered now.
    package private(set) var ticket: UInt64 = 1
    private var committed: UInt64 = 0
    private var hasChanges = false

    /// Whether somebody waits for the batch that is gathered now.
    package private(set) var isAwaited = false

    package init(isStored: Bool) {
        self.condition = isStored ? .well : .memory
    }

    /// A channel changed in this tick.
    package mutating func changed() {
        self.hasChanges = true
    }

    /// The ticket whose commit covers everything up to now; nil if it is all on disk, or nothing is kept.
    package var outstanding: UInt64? {
        let last = self.hasChanges ? self.ticket : self.ticket - 1
        return self.condition == .memory || last <= self.committed ? nil : last
    }

    /// The same for somebody who waits for it, so that the store makes haste.
    package mutating func awaitOutstanding() -> UInt64? {
        let outstanding = self.outstanding
        if outstanding == self.ticket { self.isAwaited = true }
        return outstanding
    }

    /// Closes the batch that was gathered; nil if there is none, or nothing is kept.
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

    package mutating func failing(_ why: String) {
        self.condition = .failing(why)
    }

    package mutating func recovered() {
        self.condition = .well
    }
}

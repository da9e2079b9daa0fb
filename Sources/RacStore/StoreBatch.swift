package import RacProtocol

/// What one tick of the daemon changed, or a part of that.
package struct StoreBatch: Equatable, Sendable {
    /// The batch's number; later batches have greater ones.
    package let ticket: UInt64
    /// The changes in the order in which they happened; none is fine, the batch is then told as committed in its turn.
    package let changes: [StoreChange]
    /// Whether somebody waits for the commit; if not, it may take some milliseconds longer.
    package let isAwaited: Bool

    /// Whether the rest of the tick is about to come: a transaction waits for it a moment.
    package let isFollowed: Bool

    package init(ticket: UInt64, changes: [StoreChange], isAwaited: Bool = true, isFollowed: Bool = false) {
        self.ticket = ticket
        self.changes = changes
        self.isAwaited = isAwaited
        self.isFollowed = isFollowed
    }
}

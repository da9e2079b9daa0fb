/// The changes of one tick of the daemon, or of a part of a tick, on their way to the store.
package struct StoreBatch: Equatable, Sendable {
    /// The batch's number, by which the store reports its commit; each batch has a greater one than the batch before.
    package let ticket: UInt64
    /// The changes in the order in which they happened.
    ///
    /// An empty batch is valid: the store reports its commit in its turn.
    package let changes: [StoreChange]
    /// Whether a client waits for the commit; if not, the commit may come some milliseconds later.
    package let isAwaited: Bool
    /// Whether the tick goes on, so that a transaction with this batch waits a moment for the tick's next batch.
    package let isFollowed: Bool

    package init(ticket: UInt64, changes: [StoreChange], isAwaited: Bool = true, isFollowed: Bool = false) {
        self.ticket = ticket
        self.changes = changes
        self.isAwaited = isAwaited
        self.isFollowed = isFollowed
    }
}

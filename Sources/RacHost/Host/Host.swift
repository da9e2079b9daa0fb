package import RacProtocol

/// Everything that the daemon decides: who is bound to what, what is accepted, who is told, what is stored.
///
/// It does nothing by itself. A shell tells it what happened (`received`, `disconnected`, `committed`…) and, once per tick, takes
/// what there is to write and to store. It has no clock either: `beginTick` brings the time.
///
/// Isolation: whoever made it, one thread at a time; it is not Sendable.
///
/// Mutable state, all under that isolation: the directory with its channels, sides and bindings; the commands with their
/// observers and executions; the watched patterns; the sessions; what this tick has touched; what waits for a commit.
package final class Host {
    let limits: Limits
    let partSize: Int
    var time: Time
    let directory: ChannelDirectory
    var revisions: RevisionSource
    var sessions = SessionTable()
    var connections: [ConnectionID: HostedConnection] = [:]
    var storage: StorageStateMachine

    var commands = CommandTable()

    var watches = WatchTable()

    /// How many changes there have been since the start.
    package internal(set) var changeCount: UInt64 = 0
    var startedAt: UInt64

    var tick = Tick()
    var waits = CommitWaits()
    var deadlines = DeadlineQueue()
    /// Connections whose clients said bye and wait for answers.
    var leaving: [HostedConnection] = []

    /// Begins with what the store has.
    ///
    /// - Parameters:
    ///   - channels: All channels.
    ///   - revisions: Where to go on counting.
    ///   - isStored: Whether there is a store that commits the batches of `takeBatch`.
    ///   - batches: Whether the store gets awaited changes in parts, before their tick has ended.
    ///   - limits: What is given to one connection, and to all together.
    ///   - time: Now.
    package init(
        channels: [StoredChannel],
        revisions: RevisionSource,
        isStored: Bool,
        batches: BatchPolicy = .whole,
        limits: Limits = Limits(),
        at time: Time
    ) {
        self.limits = limits
        self.partSize = batches.partSize
        self.time = time
        self.startedAt = time.uptime
        self.revisions = revisions
        self.directory = ChannelDirectory(channels)
        self.storage = StorageStateMachine(isStored: isStored)
    }
}

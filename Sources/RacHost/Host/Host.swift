import DequeModule
package import RacAccess
package import RacProtocol

/// Decides everything that the daemon does: bindings, accepted changes, notifications, batches for the store.
///
/// The host acts on nothing. A shell reports events (`received`, `disconnected`, `committed`…) and takes the outputs
/// and the batch once per tick. The host has no clock: `beginTick` brings the time.
///
/// Isolation: the caller's, one thread at a time; the class is not Sendable.
///
/// Mutable state under that isolation: the directory, the commands, the watched patterns, the sessions, the tick, and the
/// waits for a commit.
package final class Host {
    let limits: Limits
    let partSize: Int
    var time: Time
    var work: WorkTurn
    let directory: ChannelDirectory
    var revisions: RevisionSource
    var sessions = SessionTable()
    var connections: [ConnectionID: HostedConnection] = [:]
    /// The number of connections of each transport.
    var transports: [Transport: Int] = [:]
    var storage: StorageStateMachine

    var commands = CommandTable()

    var watches: WatchTable

    /// The account of all wills.
    let wills: MemoryAccount

    /// The accounts of the refused sends that sessions remember.
    var refusals: RefusalAccounts

    /// The number of changes since the start.
    package internal(set) var changeCount: UInt64 = 0

    /// The newest revision that was given out.
    package var newestRevision: Revision { self.revisions.newest }

    var startedAt: UInt64

    var tick = Tick()
    var waits = CommitWaits()
    var deadlines = DeadlineQueue()
    /// Whether connections with lagging subscribers had to wait for the next turn.
    var hasPassedOver = false
    /// The things of connections that end, which the host releases in turns.
    var departures: [ConnectionID: Departure] = [:]
    /// Live connections that let commands go whose executions are too many for one turn.
    var unhosting: Deque<HostedConnection> = []
    /// Connections whose clients said `bye` and wait for answers.
    var leaving: [HostedConnection] = []
    /// Whether commands of such a connection wait for the next turn.
    var leavesMore = false

    /// The rules of a closed daemon; nil while the daemon is open.
    package internal(set) var access: AccessPolicy?

    /// The rights of the client for which the host works now; nil for the daemon itself, and in an open daemon.
    var actor: Rights?

    /// The principal on whose behalf the host changes channels now.
    var author: Author? { self.actor?.author }

    /// The things of principals that their roles bound.
    var belongings = Belongings()

    /// The connections that other rules have yet to judge, in the opposite order.
    var unjudged: [ConnectionID] = []

    /// The connections whose clients may stay for a time only, with its end in milliseconds since 1970 UTC.
    var expiring: [ConnectionID: Int64] = [:]

    /// Begins with the stored channels.
    ///
    /// - Parameters:
    ///   - channels: All channels.
    ///   - revisions: The source of further revisions.
    ///   - isStored: Whether a store commits the batches of `takeBatch`.
    ///   - batches: Whether the store gets awaited changes in parts, before their tick has ended.
    ///   - limits: The limits of one connection and of the whole daemon.
    ///   - access: The rules of a closed daemon; nil for an open one.
    ///   - time: The present time.
    package init(
        channels: [StoredChannel],
        revisions: RevisionSource,
        isStored: Bool,
        batches: BatchPolicy = .whole,
        limits: Limits = Limits(),
        access: AccessPolicy? = nil,
        at time: Time
    ) {
        self.limits = limits
        self.access = access
        self.partSize = batches.partSize
        self.time = time
        self.wills = MemoryAccount(limit: limits.willBytes)
        self.refusals = RefusalAccounts(limit: limits.refusalBytes)
        self.watches = WatchTable(limits: limits)
        self.work = WorkTurn(units: limits.unitsPerTurn, unitsOfClient: limits.unitsPerConnection)
        self.startedAt = time.uptime
        self.revisions = revisions
        self.directory = ChannelDirectory(channels)
        self.storage = StorageStateMachine(isStored: isStored)
    }
}

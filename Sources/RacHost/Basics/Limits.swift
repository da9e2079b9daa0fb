/// The limits of one connection and of the whole daemon.
///
/// Semantics: protocol.md, "Limits".
package struct Limits: Sendable {
    /// Bindings, watches and observed commands of one connection.
    package var subscriptionsPerConnection = 10_000

    /// Patterns that one connection watches: ten connections with as many as they may have leave none for others.
    package var patternsPerConnection = 100

    /// The segments of all patterns that one connection watches.
    package var segmentsPerConnection = 1_000

    /// Watched patterns of the daemon.
    package var watchedPatterns = 1_000

    /// The segments of all watched patterns, equal beginnings once: a match visits each for each segment of a name.
    package var watchedSegments = 4_096

    /// Bytes of the names that the watches of one connection keep because the client does not read.
    package var watchNameBytesPerConnection = 512 << 10

    /// Bytes of the names that all watches keep.
    package var watchNameBytes = 256 << 20

    /// Requests and sends of one connection that wait for their commit.
    package var requestsInFlight = 10_000

    /// Bytes that queue for one binding with delivery `every`, or for one execution's caller, before it ends with
    /// `slow-consumer`.
    package var queuedBytesPerBinding = 1 << 20

    /// Bytes that are kept for one connection.
    ///
    /// They are its wills, and all that queues for its bindings, executions and observed commands. The inputs
    /// that wait for it as a host of commands have a limit of the same length.
    package var bytesPerConnection = 64 << 20

    /// Bytes of all wills of the daemon together.
    package var willBytes = 256 << 20

    /// Commands that one connection hosts.
    package var commandsPerConnection = 10_000

    /// Executions under way of one connection as a caller, and the same number as a host.
    package var executionsPerConnection = 10_000

    /// Commands of the daemon, including those that were hosted once: the oldest of these make room.
    package var commands = 100_000

    /// The units of work in a turn, after which sockets are read.
    package var unitsPerTurn = 24_000

    /// The units of work that one connection may spend in a turn; its other work waits.
    package var unitsPerConnection = 10_000

    /// The fewest acknowledgements in a turn of which those of clients that keep sending wait.
    ///
    /// Eight writes to sockets delay all clients by more than a turn without them would.
    package var manyAcknowledgements = 8

    /// The units of work by which a list may overdraw a turn, so that a small directory is listed as it is at one moment.
    package var unitsOfShortList = 64 * Work.name

    /// Bytes of values that may wait for another turn to be given to their bindings.
    package var keptValueBytes = 16 << 20

    /// Channels of the daemon.
    package var channels = 1_000_000

    /// Bytes of all values of the daemon together, and of the errors with which channels ended.
    ///
    /// One channel may have all of them, and SQLite takes a row of at most a billion bytes.
    package var valueBytes = 950 << 20

    /// Bytes kept of each text by which a client names its program, or itself.
    package var agentBytes = 255

    /// Names in one answer to `list`, and bindings in one answer to `who`.
    package var listedChannels = 1_000

    /// Unanswered lists of one connection.
    package var listsInFlight = 100

    /// The time that a session outlives its connection, in milliseconds.
    package var sessionLifetime: UInt64 = 5 * 60 * 1000

    /// Sessions kept without a connection.
    package var restingSessions = 10_000

    /// Terminals whose last send one session remembers, in addition to the bound ones.
    package var terminalsPerSession = 10_000

    /// Refused sends of one terminal that a session remembers; those in a row for one reason count once.
    package var refusalsPerTerminal = 64

    /// Bytes of all refused sends that sessions remember.
    package var refusalBytes = 64 << 20

    /// Terminals that all sessions without a connection remember together.
    package var restingTerminals = 1_000_000

    package init() {}
}

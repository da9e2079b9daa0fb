/// What the host gives to one connection, and to all of them together.
///
/// Semantics: protocol.md, "Limits".
package struct Limits: Sendable {
    /// Bindings, watches and observed commands of one connection.
    package var subscriptionsPerConnection = 10_000

    /// Patterns that are watched at a time, whoever watches them: each costs a match for every new channel.
    package var watchedPatterns = 1_000

    /// Requests and sends of one connection that wait for their commit.
    package var requestsInFlight = 10_000

    /// What queues for one binding that gets every value, or one execution's caller, before it ends as a slow consumer.
    package var queuedBytesPerBinding = 1 << 20

    /// The same for all of them of one connection together, and what waits for a host that is to take another input.
    package var queuedBytesPerConnection = 64 << 20

    /// Commands that one connection hosts.
    package var commandsPerConnection = 10_000

    /// Executions that one connection has under way as a caller, and as many as a host.
    package var executionsPerConnection = 10_000

    /// Commands that the daemon knows, those too that were hosted once: the oldest of these give way.
    package var commands = 100_000

    /// Names that one connection's watches and lists look at in one tick: the rest waits for the next one.
    package var namesPerTick = 500

    /// Channels of the daemon.
    package var channels = 1_000_000

    /// All values of the daemon together.
    package var valueBytes = 1 << 30

    /// What is kept of the text with which a client says what it is.
    package var agentBytes = 255

    /// Names in one answer to a list, and bindings in one answer to who is bound.
    package var listedChannels = 1_000

    /// Lists of one connection that are not answered yet.
    package var listsInFlight = 100

    /// How long a session outlives its connection, in milliseconds.
    package var sessionLifetime: UInt64 = 5 * 60 * 1000

    /// Sessions without a connection that are kept.
    package var restingSessions = 10_000

    /// Terminals of which one session knows the last send, besides those that are bound.
    package var terminalsPerSession = 10_000

    /// The same for all sessions without a connection together.
    package var restingTerminals = 1_000_000

    package init() {}
}

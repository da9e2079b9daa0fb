package import RacProtocol
package import RacStore

/// Everything that is decided before a history begins: who takes part, what the world is like, and what happens when.
///
/// The same plan gives the same history, whatever machine runs it.
package struct Plan: Hashable, Sendable {
    package var seed: UInt64
    package var weather: Weather
    package var channels: [ChannelPlan]
    package var commands: [CommandName]
    package var clients: [ClientPlan]
    package var steps: [Step]
}

/// What the network and the disk are like.
package struct Weather: Hashable, Sendable {
    /// The longest time that a few bytes are under way.
    package var longestDelay: Microseconds
    /// The longest tick of the daemon.
    package var longestTick: Microseconds
    /// The longest commit.
    package var longestCommit: Microseconds
    /// How many bytes a connection takes that its reader does not read.
    package var window: Int
    /// How many bytes may wait for a binding that gets every value.
    package var queuedBytes: Int
    package var durability: Durability
    /// How many revisions are reserved at a start.
    package var revisionBlock: UInt64
}

package struct ChannelPlan: Hashable, Sendable {
    package var name: ChannelName
    package var mode: ChannelMode
    /// Whether links bind it to others: such a channel is not ended and not deleted.
    package var isLinked: Bool
}

package struct ClientPlan: Hashable, Sendable {
    package var terminals: [TerminalPlan]
    /// Whether it names a session.
    package var hasSession: Bool
    package var watches: Bool
    /// Whether it passes on what the first of its terminals shows to the channel of the second, and the reverse.
    package var isLink: Bool
    /// Whether a link passes on by sends; else by requests.
    package var passesBySend = false
    /// Whether it takes part; a history is made smaller by those who do not.
    package var isPresent = true
}

package struct TerminalPlan: Hashable, Sendable {
    package var channel: Int
    package var role: Role
    package var replays: Bool?
    package var conflates: Bool?
    /// In milliseconds.
    package var interval: UInt64?
    package var hasDefault: Bool
    package var will: WillPlan?
}

package enum WillPlan: Hashable, Sendable {
    case value
    case completed
    case failed
}

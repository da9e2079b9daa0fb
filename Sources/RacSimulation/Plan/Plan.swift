package import RacProtocol
package import RacStore

/// Everything that is decided before a history begins: who takes part, what the world is like, and what happens when.
///
/// The same plan gives the same history, whatever machine runs it.
package struct Plan: Hashable, Codable, Sendable {
    package var seed: UInt64
    package var weather: Weather
    package var channels: [ChannelPlan]
    package var commands: [CommandName]
    package var clients: [ClientPlan]
    package var steps: [Step]
}

/// What the network and the disk are like.
package struct Weather: Hashable, Codable, Sendable {
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
    package var bounds = Bounds()
    /// How many bytes the longest values have; nil if all are as short as their names.
    package var longestValue: UInt64?
}

/// Bounds of the daemon, which are often smaller than racd has them, so that a short history comes to them.
package struct Bounds: Hashable, Codable, Sendable {
    /// How long a session outlives its connection, in milliseconds.
    package var sessionLifetime: UInt64 = 300_000
    /// While more bytes than this wait for a client to read, its requests wait too.
    package var pauseBytes = 1 << 20
    /// While the host has not taken so many bytes of what a client said, no more are read.
    package var aheadBytes = 64 << 10
}

package struct ChannelPlan: Hashable, Codable, Sendable {
    package var name: ChannelName
    package var mode: ChannelMode
    /// Whether links bind it to others: such a channel is not ended and not deleted.
    package var isLinked: Bool
}

package struct ClientPlan: Hashable, Codable, Sendable {
    /// Whether it is a program that uses `RacClient`; else it speaks the protocol itself.
    package var isProgram: Bool
    package var terminals: [TerminalPlan]
    /// What it speaks, if it is no program: `RacClient` compresses nothing.
    package var framing = Framing.plain
    /// Whether it names a session, as programs do.
    package var hasSession: Bool
    package var watches: Bool
    /// Whether it observes every command from the start, if it is a program: else only when it uses one.
    package var observes = false
    /// Whether it links the channels of its two terminals, and does nothing else.
    package var isLink: Bool
    /// Whether it takes part; a history is made smaller by those who do not.
    package var isPresent = true
}

/// How a client writes frames, and wants them.
package enum Framing: String, Hashable, Codable, Sendable {
    case plain
    case deflated
}

package struct TerminalPlan: Hashable, Codable, Sendable {
    package var channel: Int
    package var role: Role
    package var replays: Bool?
    package var conflates: Bool?
    /// In milliseconds.
    package var interval: UInt64?
    package var hasDefault: Bool
    package var will: WillPlan?
}

package enum WillPlan: Hashable, Codable, Sendable {
    case value
    case completed
    case failed
}

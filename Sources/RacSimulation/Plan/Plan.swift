package import RacProtocol
package import RacStore

/// Everything that is decided before a history begins: the participants, the world, and the events with their times.
///
/// A plan gives the same history on every machine.
package struct Plan: Hashable, Codable, Sendable {
    package var seed: UInt64
    package var weather: Weather
    package var channels: [ChannelPlan]
    package var commands: [CommandName]
    package var clients: [ClientPlan]
    /// The rules with which the daemon begins; nil for an open daemon, which has none.
    package var rules: RulesPlan?
    package var steps: [Step]
}

/// The qualities of the network and the disk.
package struct Weather: Hashable, Codable, Sendable {
    /// The longest time for which bytes are under way.
    package var longestDelay: Microseconds
    /// The longest tick of the daemon.
    package var longestTick: Microseconds
    /// The longest commit.
    package var longestCommit: Microseconds
    /// The unread bytes that a connection takes.
    package var window: Int
    /// The bytes that may wait for a binding that gets every value.
    package var queuedBytes: Int
    package var durability: Durability
    /// The number of revisions that are reserved at a start.
    package var revisionBlock: UInt64
    package var bounds = Bounds()
    /// The bytes of the longest values; nil if all are as short as their names.
    package var longestValue: UInt64?
}

/// Limits of the daemon, often below those of racd, so that a short history reaches them.
package struct Bounds: Hashable, Codable, Sendable {
    /// The time by which a session outlives its connection, in milliseconds.
    package var sessionLifetime: UInt64 = 300_000
    /// While more bytes than this wait for a client to read, its requests wait too.
    package var pauseBytes = 1 << 20
    /// While the host has not taken this many bytes of a client's frames, no more are read.
    package var aheadBytes = 64 << 10
    /// The units of work in a turn, of which a client may spend a quarter; nil if there are as many as in racd.
    package var unitsPerTurn: Int?
    /// The bytes of names that may wait for the watches of a client; nil for the limit of racd.
    package var watchNameBytes: Int?

    /// The longest payload of a client, in every history.
    static let maximumFrameBytes = 8 << 20
    /// The longest payload of the daemon.
    static let longestPayload = 3 * Self.maximumFrameBytes + (4 << 20)
}

package struct ChannelPlan: Hashable, Codable, Sendable {
    package var name: ChannelName
    package var mode: ChannelMode
    /// Whether links bind the channel to others: such a channel is neither ended nor deleted.
    package var isLinked: Bool
}

package struct ClientPlan: Hashable, Codable, Sendable {
    /// Whether the client is a program that uses `RacClient`; else it speaks the protocol itself.
    package var isProgram: Bool
    package var terminals: [TerminalPlan]
    /// The framing, if the client is no program: `RacClient` compresses nothing.
    package var framing = Framing.plain
    /// Whether the client names a session, as programs do.
    package var hasSession: Bool
    /// The principal whose token the client shows; nil without a token.
    package var principal: String?
    package var watches: Bool
    /// Whether a program observes every command from the start, or only the commands that it uses.
    package var observes = false
    /// Whether the client links the channels of its two terminals and does nothing else.
    package var isLink: Bool
    /// Whether the client takes part: a history shrinks by leaving clients out.
    package var isPresent = true
}

/// The framing that a client writes and asks for.
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

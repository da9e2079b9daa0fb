import RacAccess
import RacProtocol

/// The units of ``WorkTurn`` that pieces of work cost.
///
/// They are measured roughly in a release build and rounded up: a turn may be shorter than planned, never much longer.
package enum Work {
    /// Taking a message of a client.
    static let message = 5
    /// Visiting a name of the directory, for a list or the beginning of a watch, without matching it.
    static let name = 8
    /// Giving a value of this tick to one binding.
    static let delivery = 2
    /// Reading one binding for an answer to `who`.
    static let reading = 1
    /// Reading and writing one entry of a list, without its bindings.
    static let listed = 4
    /// Sending one answer that waited for the disk.
    static let answer = 4
    /// Binding, ending or forgetting one binding.
    static let binding = 10
    /// Setting one channel of a `put`, applying a will, or writing one entry of a long answer.
    static let entry = 20

    /// Adding a channel to the directory, or removing it.
    static func channel(_ name: ChannelName) -> Int { 10 + name.text.utf8.count >> 4 }

    /// Matching a name with a pattern.
    static func match(_ name: ChannelName, _ pattern: ChannelPattern) -> Int { pattern.comparisons(with: name) >> 4 }

    /// Judging a name by the rules of a principal.
    static func verdict(_ rights: Rights?) -> Int { rights.map { 1 + $0.ruleCount } ?? 0 }

    /// Finding the patterns that match a name, by the number of visited nodes.
    static func visits(_ count: Int) -> Int { 1 + count >> 1 }

    /// Decoding a message that a connection has received, without its bytes.
    package static let decoding = 10

    /// Receiving or inflating this number of bytes of a client, and scanning them.
    package static func bytesRead(_ count: Int) -> Int { count >> 5 }

    /// Computing for a client beside its bytes: 6000 units are 2 ms, a turn of reading.
    package static func computing(nanoseconds: Int64) -> Int { Int(clamping: nanoseconds / 333) }

    /// Writing a client's description, whose names may be control characters: each of them becomes six bytes.
    static func writing(_ client: ConnectedClient) -> Int {
        let names = (client.name?.utf8.count ?? 0) + (client.agent?.utf8.count ?? 0)
        return Self.entry + names >> 3
    }

    /// Reading or writing this number of bytes.
    static func bytes(_ count: Int) -> Int { count >> 8 }
}

package import RacProtocol

/// One thing that a program, the network, the disk or an operator does in a history.
///
/// Clients, terminals and channels are named by their places in the plan.  What cannot happen when its time comes, such as
/// a send into a terminal that is not bound, does not happen: so any part of a history is a history too.
package enum Action: Hashable, Codable, Sendable {
    // What programs do.
    case send(client: Int, terminal: Int, sync: Bool, conditional: Bool)
    /// Sends so many values in one go.
    case sendMany(client: Int, terminal: Int, times: Int)
    case end(client: Int, terminal: Int, fails: Bool)
    case bind(client: Int, terminal: Int)
    case unbind(client: Int, terminal: Int)
    case set(client: Int, channel: Int, role: Role, sync: Bool, conditional: Bool)
    case put(client: Int, channels: [Int], sync: Bool, conditional: Bool)
    case get(client: Int, channel: Int)
    /// Asks for a channel so many times in one go.
    case getMany(client: Int, channel: Int, times: Int)
    case list(client: Int)
    case create(client: Int, channel: Int, mode: ChannelMode, sync: Bool)
    case finish(client: Int, channel: Int, sync: Bool)
    case reopen(client: Int, channel: Int, sync: Bool)
    case delete(client: Int, channel: Int, sync: Bool)
    /// The program says bye and comes back after a while.
    case leave(client: Int)

    case command(CommandUse)

    // What networks do.
    /// The connection breaks, and both sides learn of it.
    case cut(client: Int)
    /// Nothing passes any more, and nobody learns of it.
    case silence(client: Int)
    /// The client takes its connection for dead and makes another one, before the daemon knows.
    case abandon(client: Int)
    /// The client loses its connection and finds no way to the daemon for so long; what it has said arrives still.
    case away(client: Int, Microseconds)
    /// The client stops reading for so long.
    case stall(client: Int, Microseconds)
    /// Whatever is sent from now on takes so much longer.
    case slow(client: Int, Microseconds)

    // What happens to the daemon.
    /// Its process is killed, or the power fails; it starts again after a while.
    case crash(Crash, downFor: Microseconds)
    /// It is stopped in order and started again.
    case restart(downFor: Microseconds)
    case fillDisk(Microseconds)
    /// The wall clock is set, forwards or backwards, by so many milliseconds.
    case setClock(by: Int64)
}

/// Virtual time since a history began, or a span of it.
package typealias Microseconds = UInt64

/// What a program does with a command.
package struct CommandUse: Hashable, Codable, Sendable {
    package enum What: Hashable, Codable, Sendable {
        case host(isConcurrent: Bool)
        case unhost
        /// The host allows executions from now on, or does not.
        case allow(Bool)
        case execute
        case cancel
        case observe
    }

    package var client: Int
    package var command: Int
    package var what: What
}

/// How a daemon dies.
package enum Crash: Hashable, Codable, Sendable {
    /// What it had written stays.
    case kill
    /// What was not synced may be lost.
    case power
}

/// An action and its time.
package struct Step: Hashable, Codable, Sendable {
    /// Names the step, and the values that it sends, whichever steps are left out.
    package var number: Int
    package var at: Microseconds
    package var action: Action

    /// Until when it lasts, if its end is worth waiting for: who was away must come back by itself.
    var end: Microseconds { if case .away(_, let time) = self.action { self.at + time } else { self.at } }
}

package import RacProtocol

/// One action of a program, the network, the disk or an operator in a history.
///
/// Places in the plan name clients, terminals and channels. An action that is impossible at its time, such as
/// a send into a terminal that is not bound, does not happen. So any part of a history is a history, too.
package enum Action: Hashable, Codable, Sendable {
    // Actions of programs.
    case send(client: Int, terminal: Int, sync: Bool, conditional: Bool)
    /// Sends this many values at once.
    case sendMany(client: Int, terminal: Int, times: Int)
    case end(client: Int, terminal: Int, fails: Bool)
    case bind(client: Int, terminal: Int)
    case unbind(client: Int, terminal: Int)
    case set(client: Int, channel: Int, role: Role, sync: Bool, conditional: Bool)
    case put(client: Int, channels: [Int], sync: Bool, conditional: Bool)
    case get(client: Int, channel: Int)
    /// Requests a channel this many times at once.
    case getMany(client: Int, channel: Int, times: Int)
    case list(client: Int)
    case create(client: Int, channel: Int, mode: ChannelMode, sync: Bool)
    case finish(client: Int, channel: Int, sync: Bool)
    case reopen(client: Int, channel: Int, sync: Bool)
    case delete(client: Int, channel: Int, sync: Bool)
    /// The program says bye and comes back after a while.
    case leave(client: Int)

    case command(CommandUse)

    // Actions of the network.
    /// The connection breaks, and both sides learn of it.
    case cut(client: Int)
    /// The network drops everything, and neither side learns of it.
    case silence(client: Int)
    /// The client gives its connection up and makes another one before the daemon knows.
    case abandon(client: Int)
    /// The client loses its connection and cannot reach the daemon for this long; bytes that it has sent still arrive.
    case away(client: Int, Microseconds)
    /// The client stops reading for this long.
    case stall(client: Int, Microseconds)
    /// Bytes that are sent from now on take this much longer.
    case slow(client: Int, Microseconds)

    // Actions on the daemon.
    /// The process is killed, or the power fails; the daemon starts again later.
    case crash(Crash, downFor: Microseconds)
    /// The daemon is stopped in order and started again.
    case restart(downFor: Microseconds)
    case fillDisk(Microseconds)
    /// The wall clock is set forwards or backwards by this many milliseconds.
    case setClock(by: Int64)
    /// The operator reloads other rules, by which the daemon judges its connections anew.
    case rules(RulesPlan)
}

/// Virtual time since a history began, or a span of it.
package typealias Microseconds = UInt64

/// A program's use of a command.
package struct CommandUse: Hashable, Codable, Sendable {
    package enum What: Hashable, Codable, Sendable {
        case host(isConcurrent: Bool)
        case unhost
        /// The host allows executions from now on, or disallows them.
        case allow(Bool)
        case execute
        case cancel
        case observe
    }

    package var client: Int
    package var command: Int
    package var what: What
}

/// The kind of a daemon's crash.
package enum Crash: Hashable, Codable, Sendable {
    /// The process dies: written bytes stay.
    case kill
    /// The power fails: bytes that were not synced may be lost.
    case power
}

/// An action and its time.
package struct Step: Hashable, Codable, Sendable {
    /// Names the step and the values that it sends, even if other steps are left out.
    package var number: Int
    package var at: Microseconds
    package var action: Action

    /// The time when its effect ends, if the history waits for that: a client that was away must come back by itself.
    var end: Microseconds { if case .away(_, let time) = self.action { self.at + time } else { self.at } }
}

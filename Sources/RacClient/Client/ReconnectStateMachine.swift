package import NIOCore
import RacProtocol

/// When a client that has lost its connection tries again, and when it does not.
///
/// Semantics: protocol.md, "What a client does", 1.
package struct ReconnectStateMachine: Sendable {
    private enum State {
        case connecting
        case live(since: NIODeadline)
        case pausing
        /// The daemon will not have this client, or the client does not want to any more.
        case over
    }

    package enum OnLost: Equatable {
        case tryAgain(at: NIODeadline)
        /// Trying again would come to the same.
        case giveUp
        case nothing
    }

    /// The time after which the loss of a connection counts as a new one.
    package static let stay = TimeAmount.seconds(5)

    private var state = State.connecting
    /// The longest that the next pause may be.
    private var bound: GrowingPause<TimeAmount>
    /// When the connection was lost that is being made again; nil while there is, or was, none to make again.
    private var lostAt: NIODeadline?

    package init(shortest: TimeAmount = .milliseconds(100), longest: TimeAmount) {
        self.bound = GrowingPause(from: shortest, upTo: longest)
    }

    /// The daemon has said welcome.
    package mutating func welcomed(at now: NIODeadline) {
        guard case .connecting = self.state else { return }
        self.state = .live(since: now)
    }

    /// The connection ended, or did not come about.
    ///
    /// The pause is at random, up to a bound that doubles. It is never longer than the daemon has been away, so a
    /// client is back after twice that time at most.
    package mutating func lost(
        because code: ClientError.Code,
        at now: NIODeadline,
        random: inout some RandomNumberGenerator
    ) -> OnLost {
        switch self.state {
        case .over, .pausing: return .nothing
        case .live(let since) where now - since >= Self.stay:
            self.bound.reset()
            self.lostAt = now
        case .live, .connecting: self.lostAt = self.lostAt ?? now
        }
        guard !Self.isFinal(code) else {
            self.state = .over
            return .giveUp
        }
        self.state = .pausing
        let away = now - (self.lostAt ?? now)
        let most = min(self.bound.grow(), max(self.bound.shortest, away))
        return .tryAgain(at: now + .nanoseconds(Int64.random(in: 0...most.nanoseconds, using: &random)))
    }

    /// The pause is over; says whether to connect.
    package mutating func pauseIsOver() -> Bool {
        guard case .pausing = self.state else { return false }
        self.state = .connecting
        return true
    }

    /// The program wants no more of it.
    package mutating func close() {
        self.state = .over
    }

    /// Refusals that another attempt would not change: the identity of the client, its version, or a session that
    /// another client has.
    private static func isFinal(_ code: ClientError.Code) -> Bool {
        [.unsupportedVersion, .unauthenticated, .alreadyBound, .invalidURL].contains(code)
    }
}

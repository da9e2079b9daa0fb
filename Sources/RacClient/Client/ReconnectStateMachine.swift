package import NIOCore
package import RacConnection
import RacProtocol

/// When a client connects and asks for its token, when it tries again, and when it does not.
///
/// Semantics: protocol.md, "What a client does", 1.
package struct ReconnectStateMachine: Sendable {
    private enum State {
        case idle
        case connecting
        case live(since: NIODeadline)
        case pausing
        /// The source of tokens has been asked.
        case asking
        /// The daemon will not have this client, or the client does not want to any more.
        case over
    }

    /// The client's next act.
    package enum Step: Equatable {
        case connect
        case askForToken
        case tryAgain(at: NIODeadline)
        /// Trying again would come to the same.
        case giveUp
        case nothing
    }

    private var state = State.idle
    private var pauses: ReconnectPauses
    /// When the connection was lost that is being made again; nil while there is, or was, none to make again.
    private var lostAt: NIODeadline?
    /// The token for the next connection.
    package private(set) var token: AccessToken?
    private let tokenChanges: Bool
    /// Whether the source of tokens has to return the first token, or another one than a refused one.
    private var needsToken: Bool
    /// Whether the daemon refused the token.
    private var isRefused = false

    /// - Parameters:
    ///   - shortest: The bound of the first pause.
    ///   - longest: The greatest bound of a pause.
    ///   - token: The token that is there from the start.
    ///   - tokenChanges: Whether there is a source of tokens to be asked.
    package init(
        shortest: TimeAmount = .milliseconds(100),
        longest: TimeAmount,
        token: AccessToken? = nil,
        tokenChanges: Bool = false
    ) {
        self.pauses = ReconnectPauses(shortest: Duration(shortest), longest: Duration(longest))
        self.token = token
        self.tokenChanges = tokenChanges
        self.needsToken = tokenChanges
    }

    /// The client begins.
    package mutating func start() -> Step {
        guard case .idle = self.state else { return .nothing }
        return self.attempt()
    }

    private mutating func attempt() -> Step {
        self.state = self.needsToken ? .asking : .connecting
        return self.needsToken ? .askForToken : .connect
    }

    /// The daemon has said welcome.
    package mutating func welcomed(at now: NIODeadline) {
        guard case .connecting = self.state else { return }
        self.state = .live(since: now)
    }

    /// The connection ended, or did not come about.
    ///
    /// A refused token leads to another question, if there is a source of tokens.
    package mutating func lost(
        because code: ClientError.Code,
        at now: NIODeadline,
        random: inout some RandomNumberGenerator
    ) -> Step {
        switch self.state {
        case .idle, .over, .pausing, .asking: return .nothing
        case .live(let since):
            self.pauses.lost(after: Duration(now - since))
            self.lostAt = now
        case .connecting: self.lostAt = self.lostAt ?? now
        }
        if code == .unauthenticated, self.tokenChanges {
            self.needsToken = true
            self.isRefused = true
            return self.attempt()
        }
        guard !Self.isFinal(code) else {
            self.state = .over
            return .giveUp
        }
        return self.pause(at: now, &random)
    }

    /// The source of tokens has returned its token, or has none.
    package mutating func told(
        _ token: AccessToken?,
        at now: NIODeadline,
        random: inout some RandomNumberGenerator
    ) -> Step {
        guard case .asking = self.state else { return .nothing }
        let isAnother = token != nil && token != self.token
        guard !self.isRefused || isAnother else {
            self.state = .over
            return .giveUp
        }
        self.token = token
        self.needsToken = false
        defer { self.isRefused = false }
        return self.isRefused ? self.pause(at: now, &random) : self.attempt()
    }

    /// The source of tokens could not tell; the client asks again after a pause.
    package mutating func toldNothing(at now: NIODeadline, random: inout some RandomNumberGenerator) -> Step {
        guard case .asking = self.state else { return .nothing }
        self.lostAt = self.lostAt ?? now
        return self.pause(at: now, &random)
    }

    /// The pause is at random, up to a bound.
    private mutating func pause(at now: NIODeadline, _ random: inout some RandomNumberGenerator) -> Step {
        self.state = .pausing
        let most = TimeAmount(self.pauses.next(away: Duration(now - (self.lostAt ?? now))))
        return .tryAgain(at: now + .nanoseconds(Int64.random(in: 0...most.nanoseconds, using: &random)))
    }

    /// The pause is over.
    package mutating func pauseIsOver() -> Step {
        guard case .pausing = self.state else { return .nothing }
        return self.attempt()
    }

    /// Another attempt would come to the same, for a reason that the configuration knows.
    package mutating func giveUp() -> Step {
        self.state = .over
        return .giveUp
    }

    /// The program wants no more of it.
    package mutating func close() {
        self.state = .over
    }

    /// Refusals that another attempt would not change: the identity of the client, its version, or a session that
    /// another client has.
    private static func isFinal(_ code: ClientError.Code) -> Bool {
        [.unsupportedVersion, .unauthenticated, .insecure, .alreadyBound, .invalidURL].contains(code)
    }
}

package import NIOCore
package import RacProtocol

/// How one connection begins, stays alive and ends.
///
/// Semantics: protocol.md, "Handshake" and "Heartbeats".
package struct ConnectionStateMachine: Sendable {
    private enum State {
        case connecting
        /// Hello is on its way.
        case greeting(until: NIODeadline)
        /// The daemon pings only who says nothing, so a silent daemon is asked before it is given up.
        case ready(heard: NIODeadline, patience: Patience?, hasAsked: Bool)
        /// Bye is on its way; the daemon ends the connection.
        case leaving(until: NIODeadline)
        case ended
    }

    /// The longest silence of a daemon.
    private struct Patience {
        let beforeAsking: TimeAmount
        let beforeGivingUp: TimeAmount

        /// One and a half and two and a half heartbeats, taken for a day if they are longer; nil if there are none.
        init?(heartbeat milliseconds: UInt64) {
            guard milliseconds > 0 else { return nil }
            let heartbeat = Int64(min(milliseconds, 86_400_000))
            self.beforeAsking = .microseconds(heartbeat * 1500)
            self.beforeGivingUp = .microseconds(heartbeat * 2500)
        }
    }

    package enum OnMessage: Equatable {
        case becomeReady(Welcome)
        case deliver
        case answerPing
        case nothing
        case end(ConnectionFault)
    }

    package enum OnTick: Equatable {
        case wait(until: NIODeadline)
        case ping(nextTick: NIODeadline)
        case nothing
        case end(ConnectionFault)
    }

    package enum OnLeave: Equatable {
        case sayBye(closeAt: NIODeadline)
        case end(ConnectionFault)
        case nothing
    }

    private let welcomeTimeout: TimeAmount
    private let byeTimeout: TimeAmount
    private var state = State.connecting
    /// The daemon's last refusal without a request: the reason, if it hangs up then.
    private var lastRefusal: Refusal?

    package init(welcomeTimeout: TimeAmount, byeTimeout: TimeAmount) {
        self.welcomeTimeout = welcomeTimeout
        self.byeTimeout = byeTimeout
    }

    /// The connection stands and hello goes out; the answer is due by the time returned.
    package mutating func opened(at now: NIODeadline) -> NIODeadline {
        let due = now + self.welcomeTimeout
        self.state = .greeting(until: due)
        return due
    }

    /// The connection stands, and the token must not travel over it; nil if it has ended already.
    package mutating func wouldExposeToken() -> ConnectionFault? {
        guard case .connecting = self.state else { return self.closed() }
        self.state = .ended
        return .wouldExposeToken
    }

    /// Whether the daemon has said welcome and has not ended the connection: values go to their terminals.
    package var delivers: Bool {
        switch self.state {
        case .ready, .leaving: true
        case .connecting, .greeting, .ended: false
        }
    }

    /// Bytes came, whatever they mean.
    package mutating func heard(at now: NIODeadline) {
        guard case .ready(_, let patience, _) = self.state else { return }
        self.state = .ready(heard: now, patience: patience, hasAsked: false)
    }

    package mutating func received(_ message: ServerMessage, at now: NIODeadline) -> OnMessage {
        switch self.state {
        case .connecting, .ended: .nothing
        case .greeting: self.receivedFirst(message, at: now)
        case .ready: self.receivedLater(message, answersPings: true)
        case .leaving: self.receivedLater(message, answersPings: false)
        }
    }

    private mutating func receivedFirst(_ message: ServerMessage, at now: NIODeadline) -> OnMessage {
        switch message {
        case .welcome(let welcome):
            self.state = .ready(heard: now, patience: Patience(heartbeat: welcome.heartbeat), hasAsked: false)
            return .becomeReady(welcome)
        case .refused(_, let refusal):
            self.state = .ended
            return .end(.refused(refusal))
        default:
            self.state = .ended
            return .end(.notADaemon)
        }
    }

    private mutating func receivedLater(_ message: ServerMessage, answersPings: Bool) -> OnMessage {
        switch message {
        case .ping: return answersPings ? .answerPing : .nothing
        case .pong: return .nothing
        case .refused(nil, let refusal):
            self.lastRefusal = refusal
            return .nothing
        case .welcome:
            self.state = .ended
            return .end(.brokenProtocol(WireError(.badMessage, "it said welcome twice")))
        case .reply, .refused, .next, .ended, .deleted, .ack, .unchanged, .nak, .changed, .synced, .execute, .progress,
            .cancel, .state, .failed, .unhosted:
            return .deliver
        }
    }

    package mutating func ticked(at now: NIODeadline) -> OnTick {
        switch self.state {
        case .greeting(let until):
            return self.tick(at: now, due: until, fault: .noWelcome(within: self.welcomeTimeout))
        case .ready(let heard, let patience?, false) where now < heard + patience.beforeAsking:
            return .wait(until: heard + patience.beforeAsking)
        case .ready(let heard, let patience?, false) where now < heard + patience.beforeGivingUp:
            self.state = .ready(heard: heard, patience: patience, hasAsked: true)
            return .ping(nextTick: heard + patience.beforeGivingUp)
        case .ready(let heard, let patience?, _):
            let time = patience.beforeGivingUp
            return self.tick(at: now, due: heard + time, fault: .silent(for: time))
        case .leaving(let until): return self.tick(at: now, due: until, fault: .left)
        case .connecting, .ready, .ended: return .nothing
        }
    }

    private mutating func tick(at now: NIODeadline, due: NIODeadline, fault: ConnectionFault) -> OnTick {
        guard now >= due else { return .wait(until: due) }
        self.state = .ended
        return .end(fault)
    }

    /// The program wants no more of this connection.
    package mutating func leave(at now: NIODeadline) -> OnLeave {
        switch self.state {
        case .connecting, .greeting:
            self.state = .ended
            return .end(.left)
        case .ready:
            let due = now + self.byeTimeout
            self.state = .leaving(until: due)
            return .sayBye(closeAt: due)
        case .leaving, .ended: return .nothing
        }
    }

    /// The program wants to count as lost; nil if the connection has ended already.
    package mutating func abandon() -> ConnectionFault? {
        if case .ended = self.state { return nil }
        self.state = .ended
        return .left
    }

    /// The daemon sent what cannot be read; nil if the connection has ended already.
    package mutating func broke(_ error: WireError) -> ConnectionFault? {
        switch self.state {
        case .connecting, .greeting:
            self.state = .ended
            return .notADaemon
        case .ready, .leaving:
            self.state = .ended
            return .brokenProtocol(error)
        case .ended: return nil
        }
    }

    /// TLS failed; nil if the connection has ended already.
    package mutating func failed(_ fault: TLSFault) -> ConnectionFault? {
        switch self.state {
        case .connecting, .greeting:
            self.state = .ended
            return .noTLS(fault)
        case .ready, .leaving, .ended: return self.closed()
        }
    }

    /// The daemon sent a TLS alert instead of a welcome; nil if the connection has ended already.
    package mutating func gotAlert() -> ConnectionFault? {
        guard case .greeting = self.state else { return self.closed() }
        self.state = .ended
        return .speaksTLS
    }

    /// The connection is gone; nil if its end has been reported already.
    package mutating func closed() -> ConnectionFault? {
        defer { self.state = .ended }
        switch self.state {
        case .connecting, .greeting: return .hungUp
        case .ready: return self.lastRefusal.map(ConnectionFault.refused) ?? .lost
        case .leaving: return .left
        case .ended: return nil
        }
    }
}

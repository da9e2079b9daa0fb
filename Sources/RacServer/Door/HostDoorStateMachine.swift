/// Decides when events of one loop's connections enter the host, and when the host's tick ends for those connections.
///
/// An event enters at once only on the host's own loop, and only if the host knows the connection. No event enters
/// while the host ends a tick. Other events are gathered. They enter before the next event that enters at once, or at
/// the end of the loop's tick. So the events of a connection enter in the order in which they happened.
///
/// On the host's own loop both ticks are one. While it ends, the connections are written to, which makes new events: these
/// are gathered, and another tick follows for them.
package struct HostDoorStateMachine: Sendable {
    /// On which side of a border between loops the host is.
    package enum Side: Sendable {
        /// The host is on the same loop.
        case here
        /// The host is on another loop.
        case there
    }

    private enum State {
        /// No tick is under way.
        case idle
        /// A tick is under way: events are welcome.
        case open
        /// The host ends its tick: nothing may enter.
        case ending
    }

    private let side: Side
    private var state = State.idle

    /// Whether gathered events wait to enter.
    private var isGathered = false

    package init(_ side: Side) {
        self.side = side
    }
}

// MARK: Ticks

extension HostDoorStateMachine {
    package enum OnEntered: Equatable, Sendable {
        case beginTick
        case nothing
    }

    /// Something is about to happen to a connection.
    package func entered() -> OnEntered { self.state == .idle ? .beginTick : .nothing }

    /// The loop's tick has begun, for a connection or for the host.
    package mutating func tickBegan() {
        self.state = .open
    }

    package enum OnTickEnds: Equatable, Sendable {
        /// Deliver the gathered events; the host's tick is its own loop's affair.
        case deliver
        /// Deliver the gathered events, then end the host's tick.
        case deliverAndEndHost
    }

    /// The loop has handled everything that was at hand.
    ///
    /// On the host's own loop the delivered events may enter still; `hostEnds` closes the door.
    package mutating func tickEnds() -> OnTickEnds {
        switch self.side {
        case .here: return .deliverAndEndHost
        case .there:
            self.state = .idle
            return .deliver
        }
    }

    /// The host begins to end its tick.
    package mutating func hostEnds() {
        self.state = .ending
    }

    /// The host has ended its tick; events that were gathered meanwhile need another one.
    package mutating func hostEnded() -> OnEntered {
        self.state = .idle
        return self.isGathered ? .beginTick : .nothing
    }
}

// MARK: Events

extension HostDoorStateMachine {
    package enum OnMessage: Equatable, Sendable {
        case gather
        /// Let it enter.
        case enter
        /// Deliver the gathered events first, then let it enter.
        case deliverAndEnter
    }

    /// A message of a client came; the host may know its connection already.
    @inline(__always)
    package func message(isKnown: Bool) -> OnMessage {
        guard isKnown, self.side == .here, self.state != .ending else { return .gather }
        return self.isGathered ? .deliverAndEnter : .enter
    }

    /// An event was put behind the gathered ones.
    package mutating func gathered() {
        self.isGathered = true
    }

    /// All gathered events were taken to be delivered; false if there were none.
    package mutating func takesGathered() -> Bool {
        defer { self.isGathered = false }
        return self.isGathered
    }
}

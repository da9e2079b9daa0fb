import RacProtocol

/// How a connection ends: nothing more is taken from the client, it gets what is due, and both sides close.
///
/// Semantics: protocol.md, "Connections".
struct ClosingStateMachine: Sendable {
    private enum State {
        case open
        /// The client is refused, and learns that after a pause.
        case pausing(WireError)
        /// Nothing more comes: the client gets what is due, and then the reason, if there is one. The host may
        /// have been asked whether that is so.
        case draining(WireError?, isAsked: Bool)
        /// The last of it is on its way to the socket.
        case flushing
        /// The daemon's side is closed; the client reads the rest and closes its own.
        case lingering
    }

    enum OnInputClosed: Equatable {
        case drain
        case close
        case nothing
    }

    enum OnDrained: Equatable {
        case end(WireError?)
        case nothing
    }

    private var state = State.open

    /// Whether what the client says still counts.
    var isOpen: Bool {
        if case .open = self.state { true } else { false }
    }

    /// Whether the connection ends as soon as the client has what is due.
    var isDraining: Bool {
        switch self.state {
        case .pausing, .draining: true
        case .open, .flushing, .lingering: false
        }
    }

    /// Whether everything has been said.
    var isEnded: Bool { !self.isOpen && !self.isDraining }

    /// The client has closed its side.
    mutating func inputClosed() -> OnInputClosed {
        switch self.state {
        case .open:
            self.state = .draining(nil, isAsked: false)
            return .drain
        case .pausing, .draining, .flushing: return .nothing
        case .lingering: return .close
        }
    }

    /// The connection must end for a reason, the first of which is reported; whether it is this one.
    mutating func failed(_ error: WireError) -> Bool {
        switch self.state {
        case .open:
            self.state = .draining(error, isAsked: false)
            return true
        case .draining(nil, let isAsked):
            self.state = .draining(error, isAsked: isAsked)
            return true
        case .pausing, .draining, .flushing, .lingering: return false
        }
    }

    /// The client must go for a reason that it learns after a pause; whether it is the first reason.
    mutating func refused(_ error: WireError) -> Bool {
        switch self.state {
        case .open, .draining(nil, isAsked: false):
            self.state = .pausing(error)
            return true
        case .pausing, .draining, .flushing, .lingering: return false
        }
    }

    /// The pause of a refused client is over.
    mutating func pauseEnded() {
        guard case .pausing(let error) = self.state else { return }
        self.state = .draining(error, isAsked: false)
    }

    /// Whether the host should be asked to report when the client has been given what is due; once.
    mutating func asks() -> Bool {
        guard case .draining(let error, isAsked: false) = self.state else { return false }
        self.state = .draining(error, isAsked: true)
        return true
    }

    /// The client has been given what was due.
    func drained() -> OnDrained {
        guard case .draining(let error, _) = self.state else { return .nothing }
        return .end(error)
    }

    /// Nothing more is said; whether that is new.
    mutating func ended() -> Bool {
        guard !self.isEnded else { return false }
        self.state = .flushing
        return true
    }

    /// The socket has taken all.
    mutating func written() {
        guard case .flushing = self.state else { return }
        self.state = .lingering
    }
}

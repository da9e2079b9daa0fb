/// How a client gets from its first byte to all that it wants to be bound to.
package struct ReadinessStateMachine {
    private enum State: Equatable {
        case opening
        case binding(left: Int)
        case ready
    }

    package enum OnArrival: Equatable {
        /// The server has taken the connection: ask for the bindings.
        case bind
        /// Nothing is missing any more.
        case ready
        case wait
        /// It has no place here.
        case fail
    }

    private var state = State.opening

    package init() {}

    /// The server has taken the connection.
    package mutating func opened() -> OnArrival {
        guard self.state == .opening else { return .fail }
        self.state = .binding(left: 0)
        return .bind
    }

    /// Awaits this number of bindings.
    package mutating func asked(for bindings: Int) -> OnArrival {
        self.state = bindings == 0 ? .ready : .binding(left: bindings)
        return bindings == 0 ? .ready : .wait
    }

    /// The server answered the request for a binding.
    package mutating func bound() -> OnArrival {
        guard case .binding(let left) = self.state, left > 0 else { return .fail }
        return self.asked(for: left - 1)
    }
}

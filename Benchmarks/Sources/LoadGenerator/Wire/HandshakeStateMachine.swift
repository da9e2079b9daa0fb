/// How a connection gets from the first byte to a binding.
///
/// The daemon awaits a hello before its welcome and binds on request; the relay greets whoever connects, and that is all.
package struct HandshakeStateMachine {
    private enum State {
        case awaitingWelcome
        case awaitingBinding
        case done
    }

    package enum OnWelcome: Equatable {
        /// Ask for the binding.
        case bind
        /// The connection is ready.
        case ready
        /// A welcome has no place here.
        case fail
    }

    package enum OnReply: Equatable {
        case ready(Binding)
        case fail
    }

    /// What the daemon tells of a binding.
    package struct Binding: Equatable {
        /// The number of the terminal.
        package var terminal: Int
        /// How many sends of this session have been applied already.
        package var sends: Int

        package init(terminal: Int, sends: Int) {
            self.terminal = terminal
            self.sends = sends
        }
    }

    private var state = State.awaitingWelcome
    private let binds: Bool

    /// - Parameter binds: Whether a binding is wanted.
    package init(binds: Bool) {
        self.binds = binds
    }

    /// The server welcomes the client.
    package mutating func welcomed() -> OnWelcome {
        guard self.state == .awaitingWelcome else { return .fail }
        self.state = self.binds ? .awaitingBinding : .done
        return self.binds ? .bind : .ready
    }

    /// The daemon answered the request to bind; nil are fields that were not there.
    package mutating func replied(terminal: Int?, sends: Int?) -> OnReply {
        guard self.state == .awaitingBinding, let terminal else { return .fail }
        self.state = .done
        return .ready(Binding(terminal: terminal, sends: sends ?? 0))
    }
}

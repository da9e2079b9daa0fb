import NIOCore
import RacProtocol
import Synchronization

/// Counts the connections of all loops together, and the sockets of clients that are open.
///
/// The sockets are as many as the connections, and a few more: those of clients that learn why they are refused.
final class Admission: Sendable {
    /// The sockets beyond the limit of connections.
    static let refusedCount = 32

    /// The connections beyond the limit over Unix sockets, so that an operator reaches a daemon that is full.
    static let localCount = 4

    /// The sockets for which there are files.
    struct Room: Equatable {
        /// The connections at a time.
        var connections: Int
        /// The further clients at a time, which learn why they are refused.
        var refused: Int
    }

    private struct State {
        var limit: Int
        var refusedCount: Int
        var connections = 0
        var sockets = 0
        /// The listeners that accept nobody until a socket has closed.
        var waiting: [LoopReference<AcceptGate>] = []

        /// Connections above a lower limit stay, and clients beyond them learn why they are refused, too.
        var hasRoom: Bool { self.sockets < max(self.limit, self.connections) + self.refusedCount }
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The connections at a time.
    ///   - refusedCount: The further sockets at a time.
    init(limit: Int, refusedCount: Int = Admission.refusedCount) {
        self.state = Mutex(State(limit: limit, refusedCount: refusedCount))
    }

    convenience init(_ room: Room) {
        self.init(limit: room.connections, refusedCount: room.refused)
    }

    /// The limits change; connections above a lower one stay.
    func take(_ room: Room) {
        self.change {
            $0.limit = room.connections
            $0.refusedCount = room.refused
        }
    }

    /// Lets one more connection in, or returns why there are too many.
    ///
    /// - Parameter isLocal: Whether it is one over a Unix socket.
    /// - Returns: The reason.
    func enter(isLocal: Bool = false) -> WireError? {
        self.state.withLock { state in
            guard state.connections >= state.limit + (isLocal ? Self.localCount : 0) else {
                state.connections += 1
                return nil
            }
            return WireError(.limit, "the daemon takes no more connections: its limit is \(state.limit)")
        }
    }

    /// A connection that was let in has closed.
    func leave() {
        self.state.withLock { $0.connections -= 1 }
    }
}

// MARK: Sockets

extension Admission {
    /// Whether a listener may accept another client; if not, it is called when it may.
    func mayAccept(orCall gate: LoopReference<AcceptGate>) -> Bool {
        self.state.withLock { state in
            if !state.hasRoom { state.waiting.append(gate) }
            return state.hasRoom
        }
    }

    func accepted() {
        self.state.withLock { $0.sockets += 1 }
    }

    /// The socket of an accepted client has closed.
    func closed() {
        self.change { $0.sockets -= 1 }
    }

    private func change(_ body: (inout State) -> Void) {
        let gates = self.state.withLock { state in
            body(&state)
            guard state.hasRoom else { return [LoopReference<AcceptGate>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for gate in gates { gate.loop.execute { gate.value.goOn() } }
    }
}

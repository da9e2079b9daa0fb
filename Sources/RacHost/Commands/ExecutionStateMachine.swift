/// Decides who is notified about an execution.
///
/// An execution lasts until its host ends it, whether or not its caller still listens. So `executing` shows the host's
/// work, not the callers' wishes.
///
/// Semantics: protocol.md, "Executions".
package struct ExecutionStateMachine: Sendable {
    private enum State {
        /// The caller gets values and the end.
        case wanted
        /// The caller has cancelled and gets only the end.
        case cancelled
        /// The caller gets nothing more.
        case abandoned
    }

    package enum OnValue: Equatable {
        case tellCaller
        case nothing
    }

    package enum OnEnd: Equatable {
        /// The caller, and for an error the command's observers.
        case tellAll
        case tellCaller
        case nothing
    }

    package enum OnUnwanted: Equatable {
        /// The host is asked to give the execution up.
        case tellHost
        case nothing
    }

    private var state = State.wanted

    package init() {}

    /// The host sends a value.
    package func value() -> OnValue {
        switch self.state {
        case .wanted: .tellCaller
        case .cancelled, .abandoned: .nothing
        }
    }

    /// The host has ended the execution, or has gone.
    package func ended() -> OnEnd {
        switch self.state {
        case .wanted: .tellAll
        case .cancelled: .tellCaller
        case .abandoned: .nothing
        }
    }

    /// The caller cancels the execution.
    package mutating func cancelled() -> OnUnwanted {
        guard case .wanted = self.state else { return .nothing }
        self.state = .cancelled
        return .tellHost
    }

    /// The caller has gone, or was too slow.
    package mutating func abandoned() -> OnUnwanted {
        defer { self.state = .abandoned }
        switch self.state {
        case .wanted: return .tellHost
        case .cancelled, .abandoned: return .nothing
        }
    }
}

/// Who hears of an execution.
///
/// It keeps its place until its host is through with it, whether or not anybody still listens: so `executing` says what
/// the host does, not what callers wish.
///
/// Semantics: protocol.md, "Executions".
package struct ExecutionStateMachine: Sendable {
    private enum State {
        /// Its caller hears everything.
        case wanted
        /// Its caller has cancelled it, and hears only how it ended.
        case cancelled
        /// Its caller hears nothing more.
        case abandoned
    }

    package enum OnValue: Equatable {
        case tellCaller
        case nothing
    }

    package enum OnEnd: Equatable {
        /// The caller, and the command's observers if it is an error.
        case tellAll
        case tellCaller
        case nothing
    }

    package enum OnUnwanted: Equatable {
        /// The host is to give it up.
        case tellHost
        case nothing
    }

    private var state = State.wanted

    package init() {}

    /// The host has a value.
    package func value() -> OnValue {
        switch self.state {
        case .wanted: .tellCaller
        case .cancelled, .abandoned: .nothing
        }
    }

    /// The host is through with it, or has gone.
    package func ended() -> OnEnd {
        switch self.state {
        case .wanted: .tellAll
        case .cancelled: .tellCaller
        case .abandoned: .nothing
        }
    }

    /// Its caller wants it to end.
    package mutating func cancelled() -> OnUnwanted {
        guard case .wanted = self.state else { return .nothing }
        self.state = .cancelled
        return .tellHost
    }

    /// Its caller has gone, or was too slow for it.
    package mutating func abandoned() -> OnUnwanted {
        defer { self.state = .abandoned }
        switch self.state {
        case .wanted: return .tellHost
        case .cancelled, .abandoned: return .nothing
        }
    }
}

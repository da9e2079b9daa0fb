package import RacProtocol

/// Whether a command may be executed.
///
/// An execution is judged first and then started, so that the limits can be checked in between.
///
/// Semantics: protocol.md, "Enabled and executing".
package struct NamedCommandStateMachine: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case accepted
        /// No connection has ever hosted the command.
        case unknown
        /// No connection hosts the command now.
        case hostless
        /// The host does not allow an execution now.
        case unwilling
        /// The command is running, and it is not concurrent.
        case busy
    }

    private enum State: Equatable {
        case unhosted(isKnown: Bool)
        case hosted(isWilling: Bool, isConcurrent: Bool, running: Int)
    }

    private var state = State.unhosted(isKnown: false)

    package init() {}

    /// Whether a connection has ever hosted the command.
    package var isKnown: Bool {
        switch self.state {
        case .unhosted(let isKnown): isKnown
        case .hosted: true
        }
    }

    /// Whether the host allows several executions at once.
    package var isConcurrent: Bool {
        switch self.state {
        case .unhosted: false
        case .hosted(_, let isConcurrent, _): isConcurrent
        }
    }

    /// The state that the observers see.
    package var shown: CommandState {
        switch self.state {
        case .unhosted: CommandState(isEnabled: false, isExecuting: false)
        case .hosted(let isWilling, let isConcurrent, let running):
            CommandState(isEnabled: isWilling && (isConcurrent || running == 0), isExecuting: running > 0)
        }
    }

    /// A connection hosts the command from now on.
    package mutating func hosted(isWilling: Bool, isConcurrent: Bool) {
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: 0)
    }

    /// The host has gone, and its executions with it.
    package mutating func unhosted() {
        self.state = .unhosted(isKnown: self.isKnown)
    }

    /// A client has forgotten the command: it is as one that was never hosted.
    ///
    /// A hosted command stays.
    package mutating func forgotten() {
        guard case .unhosted = self.state else { return }
        self.state = .unhosted(isKnown: false)
    }

    /// The host's own condition changed.
    package mutating func conditionChanged(to isWilling: Bool) {
        guard case .hosted(_, let isConcurrent, let running) = self.state else { return }
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: running)
    }

    /// Judges an execution; nothing changes yet.
    package func judgeExecution() -> Verdict {
        switch self.state {
        case .unhosted(let isKnown): isKnown ? .hostless : .unknown
        case .hosted(false, _, _): .unwilling
        case .hosted(true, isConcurrent: false, let running) where running > 0: .busy
        case .hosted: .accepted
        }
    }

    /// Counts an execution that was judged as accepted.
    package mutating func started() {
        self.running(changedBy: 1)
    }

    /// The host has ended an execution.
    package mutating func ended() {
        self.running(changedBy: -1)
    }

    private mutating func running(changedBy change: Int) {
        guard case .hosted(let isWilling, let isConcurrent, let running) = self.state else { return }
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: running + change)
    }
}

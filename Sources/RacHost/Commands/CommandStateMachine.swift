package import RacProtocol

/// Whether a command may be executed.
///
/// An execution is judged first and then started, so that other things may be looked at in between.
///
/// Semantics: protocol.md, "Commands"; DESIGN.md, section 3.
package struct CommandStateMachine: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        case accepted
        /// Nobody has ever hosted it.
        case unknown
        /// Nobody hosts it now.
        case hostless
        /// Its host does not allow it now.
        case unwilling
        /// It runs, and runs once at a time.
        case busy
    }

    private enum State: Equatable {
        case unhosted(isKnown: Bool)
        case hosted(isWilling: Bool, isConcurrent: Bool, running: Int)
    }

    private var state = State.unhosted(isKnown: false)

    package init() {}

    /// Whether anybody has ever hosted it.
    package var isKnown: Bool {
        switch self.state {
        case .unhosted(let isKnown): isKnown
        case .hosted: true
        }
    }

    /// How its observers see it.
    package var shown: CommandState {
        switch self.state {
        case .unhosted: CommandState(isEnabled: false, isExecuting: false)
        case .hosted(let isWilling, let isConcurrent, let running):
            CommandState(isEnabled: isWilling && (isConcurrent || running == 0), isExecuting: running > 0)
        }
    }

    /// Somebody hosts it from now on.
    package mutating func hosted(isWilling: Bool, isConcurrent: Bool) {
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: 0)
    }

    /// Its host has gone, and with it all that was running.
    package mutating func unhosted() {
        self.state = .unhosted(isKnown: self.isKnown)
    }

    /// Its host's own condition is this.
    package mutating func conditionChanged(to isWilling: Bool) {
        guard case .hosted(_, let isConcurrent, let running) = self.state else { return }
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: running)
    }

    /// Whether it may be executed now; nothing changes yet.
    package func judgeExecution() -> Verdict {
        switch self.state {
        case .unhosted(let isKnown): isKnown ? .hostless : .unknown
        case .hosted(false, _, _): .unwilling
        case .hosted(true, isConcurrent: false, let running) where running > 0: .busy
        case .hosted: .accepted
        }
    }

    /// An execution that was judged as accepted takes its place.
    package mutating func started() {
        self.running(changedBy: 1)
    }

    /// The host is through with an execution.
    package mutating func ended() {
        self.running(changedBy: -1)
    }

    private mutating func running(changedBy change: Int) {
        guard case .hosted(let isWilling, let isConcurrent, let running) = self.state else { return }
        self.state = .hosted(isWilling: isWilling, isConcurrent: isConcurrent, running: running + change)
    }
}

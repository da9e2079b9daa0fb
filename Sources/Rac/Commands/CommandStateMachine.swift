/// Decides whether a command may be executed, and which announcements its observers get.
///
/// Permission and count are one state, read and changed in one step (command-15). Semantics: docs/semantics.md,
/// command-1, command-2, command-12 to command-15.
@usableFromInline
struct CommandStateMachine: Sendable {
    /// An announcement to observers.
    @usableFromInline
    enum Notice: Equatable, Sendable {
        /// Whether anything is running.
        case executing(Bool)
        /// Whether an execution would be accepted.
        case enabled(Bool)
    }

    /// Whether several executions may run at once.
    @usableFromInline var allowsConcurrentExecution: Bool
    /// Whether observers learn of a revoked permission before they learn that it executes.
    @usableFromInline let revokesFirst: Bool
    @usableFromInline var condition: Bool
    @usableFromInline var running = 0
    /// Whether it runs far away, as far as is known here.
    @usableFromInline var runsElsewhere = false
    @usableFromInline var lastToldExecuting = false
    @usableFromInline var lastToldEnabled: Bool

    /// A machine without running work.
    @inlinable
    init(allowsConcurrentExecution: Bool, revokesFirst: Bool = false, condition: Bool = true) {
        self.allowsConcurrentExecution = allowsConcurrentExecution
        self.revokesFirst = revokesFirst
        self.condition = condition
        self.lastToldEnabled = condition
    }

    /// Whether anything is running.
    @inlinable
    var isExecuting: Bool { self.running > 0 || self.runsElsewhere }

    /// Whether an execution would be accepted at this moment.
    @inlinable
    var isEnabled: Bool { self.condition && (self.allowsConcurrentExecution || self.running == 0) }

    /// Whether an execution would be accepted if this number of running ones had ended.
    func isEnabled(besides ended: Int) -> Bool {
        self.condition && (self.allowsConcurrentExecution || self.running <= ended)
    }

    /// An execution is asked for.
    ///
    /// If this returns true, it is accepted and counts as running.
    @inlinable
    mutating func requested() -> Bool {
        guard self.isEnabled else { return false }
        self.running += 1
        return true
    }

    /// An accepted execution has ended.
    @inlinable
    mutating func ended() {
        self.running -= 1
    }

    /// The enabling condition sent a value.
    @inlinable
    mutating func conditionChanged(to condition: Bool) {
        self.condition = condition
    }

    /// The place of the work reported the command's state.
    mutating func told(isEnabled: Bool, isExecuting: Bool) {
        self.condition = isEnabled
        self.runsElsewhere = isExecuting
    }

    /// Concurrent executions were allowed or forbidden; running ones stay counted.
    @inlinable
    mutating func concurrencyChanged(to isAllowed: Bool) {
        self.allowsConcurrentExecution = isAllowed
    }

    /// The next value that differs from its last announcement, `isExecuting` first; nil if there is none.
    @inlinable
    mutating func nextNotice() -> Notice? {
        if self.revokesFirst, self.lastToldEnabled, !self.isEnabled {
            self.lastToldEnabled = false
            return .enabled(false)
        }
        if self.isExecuting != self.lastToldExecuting {
            self.lastToldExecuting = self.isExecuting
            return .executing(self.isExecuting)
        }
        if self.isEnabled != self.lastToldEnabled {
            self.lastToldEnabled = self.isEnabled
            return .enabled(self.isEnabled)
        }
        return nil
    }
}

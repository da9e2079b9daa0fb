/// Whether a command may be executed, and what its observers have to be told about that.
///
/// Permission and count are one state, read and changed in one step (command-15). Semantics: docs/semantics.md,
/// command-1, command-2, command-12 to command-15.
@usableFromInline
struct CommandStateMachine: Sendable {
    /// Something that observers are to be told.
    @usableFromInline
    enum Notice: Equatable, Sendable {
        /// Whether anything is running.
        case executing(Bool)
        /// Whether an execution would be accepted.
        case enabled(Bool)
    }

    /// Whether several executions may run at once.
    @usableFromInline var allowsConcurrentExecution: Bool
    @usableFromInline var condition = true
    @usableFromInline var running = 0
    /// Whether it runs far away, for all that is known here.
    @usableFromInline var runsElsewhere = false
    @usableFromInline var lastToldExecuting = false
    @usableFromInline var lastToldEnabled = true

    /// A machine with nothing running and a condition that has not spoken, which counts as true.
    @inlinable
    init(allowsConcurrentExecution: Bool) {
        self.allowsConcurrentExecution = allowsConcurrentExecution
    }

    /// Whether anything is running.
    @inlinable
    var isExecuting: Bool { self.running > 0 || self.runsElsewhere }

    /// Whether an execution would be accepted at this moment.
    @inlinable
    var isEnabled: Bool { self.condition && (self.allowsConcurrentExecution || self.running == 0) }

    /// Whether an execution would be accepted if so many of those that run had ended.
    func isEnabled(besides ended: Int) -> Bool {
        self.condition && (self.allowsConcurrentExecution || self.running <= ended)
    }

    /// Somebody wants to execute; answers whether that is accepted, and then it counts as running.
    @inlinable
    mutating func requested() -> Bool {
        guard self.isEnabled else { return false }
        self.running += 1
        return true
    }

    /// One that was accepted has ended.
    @inlinable
    mutating func ended() {
        self.running -= 1
    }

    /// The enabling condition spoke.
    @inlinable
    mutating func conditionChanged(to condition: Bool) {
        self.condition = condition
    }

    /// Word came of how the command is where its work is done.
    mutating func told(isEnabled: Bool, isExecuting: Bool) {
        self.condition = isEnabled
        self.runsElsewhere = isExecuting
    }

    /// Concurrent executions were allowed or forbidden; those that are running stay counted.
    @inlinable
    mutating func concurrencyChanged(to isAllowed: Bool) {
        self.allowsConcurrentExecution = isAllowed
    }

    /// The next thing to tell that has changed since it was told last, whether it runs first; nil if there is none.
    @inlinable
    mutating func nextNotice() -> Notice? {
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

import RacProtocol

/// A command with its host, its observers and what is running.
///
/// Guarded by the host's isolation.
final class HostedCommand {
    let id: CommandID
    let name: CommandName
    var machine = CommandStateMachine()

    /// The connection that hosts it.
    var host: CommandUser?

    /// What its host is at work on.
    var executions: [ExecutionID: Execution] = [:]

    private(set) var observers: [CommandObserver] = []

    /// Counts the times that nobody used it, so that what speaks of an earlier one is known as such.
    var rests = 0

    /// Whether it is kept only because it was hosted once.
    var isResting = false

    init(id: CommandID, name: CommandName) {
        self.id = id
        self.name = name
    }

    /// Whether somebody hosts or observes it.
    var isUsed: Bool { self.host != nil || !self.observers.isEmpty }

    var stateFrame: FrameBytes { FrameBytes(.state(self.id, self.machine.shown)) }

    func add(_ observer: CommandObserver) {
        observer.place = self.observers.count
        self.observers.append(observer)
    }

    func remove(_ observer: CommandObserver) {
        let last = self.observers.removeLast()
        guard last !== observer else { return }
        self.observers[observer.place] = last
        last.place = observer.place
    }
}

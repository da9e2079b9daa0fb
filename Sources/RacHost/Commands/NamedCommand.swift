import DequeModule
import RacProtocol

/// A command by its name, with its host, its observers and its executions.
///
/// Guarded by the host's isolation.
final class NamedCommand {
    let id: CommandID
    let name: CommandName
    var machine = NamedCommandStateMachine()

    /// The connection that hosts the command.
    var host: CommandUser?

    /// The executions that the host works on.
    var executions: [ExecutionID: HostedExecution] = [:]

    /// The executions to fail before the host's place is free, oldest first; nil unless the host is going.
    var failing: Deque<HostedExecution>?

    private(set) var observers: [CommandObserver] = []

    /// The number of the command's times without a user; it distinguishes an entry of an earlier one from the present.
    var rests = 0

    /// Whether the command is kept only because it was hosted once.
    var isResting = false

    init(id: CommandID, name: CommandName) {
        self.id = id
        self.name = name
    }

    /// Whether a connection hosts or observes the command.
    var isUsed: Bool { self.host != nil || !self.observers.isEmpty }

    var stateMessage: ServerMessage { .state(self.id, self.machine.shown) }

    func add(_ observer: CommandObserver) {
        self.observers.add(observer)
    }

    func remove(_ observer: CommandObserver) {
        self.observers.remove(observer)
    }
}

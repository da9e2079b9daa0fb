import RacProtocol

/// A connection that uses commands: it hosts, observes or executes them.
///
/// Guarded by the host's isolation.
final class CommandUser {
    let connection: HostedConnection

    var hosted: [CommandID: NamedCommand] = [:]
    var observed: [CommandID: CommandObserver] = [:]

    /// The executions that it called and whose ends it has not been sent.
    var calls: [ExecutionID: HostedExecution] = [:]

    /// The number of executions under way of the commands that it hosts.
    var work = 0

    init(_ connection: HostedConnection) {
        self.connection = connection
    }
}

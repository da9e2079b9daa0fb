import RacProtocol

/// One connection's look at a command: while there is no room it keeps the mark that the state is another one, and the
/// newest error.
///
/// Guarded by the host's isolation.
final class CommandObserver: Subscriber {
    let command: HostedCommand

    /// Its place among the command's observers.
    var place = 0

    /// Whether it was not told the present state.
    private var isBehind = false

    /// The newest error that it was not told.
    private var missedError: FrameBytes?

    init(connection: HostedConnection, command: HostedCommand) {
        self.command = command
        super.init(connection: connection)
    }

    private var isThrough: Bool { !self.isBehind && self.missedError == nil && self.connection.hasRoom }

    func tell(state: FrameBytes) {
        guard !self.isThrough else { return self.connection.outgoing.append(state) }
        self.isBehind = true
        self.connection.lag(self)
    }

    func tell(error: FrameBytes) {
        guard !self.isThrough else { return self.connection.outgoing.append(error) }
        self.missedError = error
        self.connection.lag(self)
    }

    override func serve(at time: Time) -> OnServed {
        guard !self.isOver else { return .served }
        if let error = self.missedError { self.connection.outgoing.append(error) }
        if self.isBehind { self.connection.outgoing.append(self.command.stateFrame) }
        self.missedError = nil
        self.isBehind = false
        return .served
    }
}

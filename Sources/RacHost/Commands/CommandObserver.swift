import RacProtocol

/// One connection's observation of a command.
///
/// While the connection has no room, the observer keeps a mark that the state changed, and the newest error.
///
/// Guarded by the host's isolation.
final class CommandObserver: Subscriber, Placed {
    let command: NamedCommand

    /// The observer's place among the command's observers.
    var place = 0

    /// Whether the observer was not sent the present state.
    private var isBehind = false

    /// The newest error that the observer was not sent.
    private var missedError: Kept<OutgoingMessage>?

    init(connection: HostedConnection, command: NamedCommand) {
        self.command = command
        super.init(connection: connection)
    }

    private var isThrough: Bool { !self.isBehind && self.missedError == nil && self.connection.hasRoom }

    func tell(state: OutgoingMessage) {
        guard !self.isThrough else { return state.append(to: &self.connection.outgoing) }
        self.isBehind = true
        self.connection.lag(self)
    }

    /// Sends an error now, or keeps it; an error for which there is no place gives way to the short one.
    func tell(error: OutgoingMessage, or short: () -> OutgoingMessage) {
        guard !self.isThrough else { return error.append(to: &self.connection.outgoing) }
        self.missedError = nil
        let error = self.connection.kept.hasPlace(for: self.connection.bytes(of: error)) ? error : short()
        self.missedError = Kept(anyway: error, bytes: self.connection.bytes(of: error), in: self.connection.kept)
        self.connection.lag(self)
    }

    override func serve(at time: Time) -> OnServed {
        guard !self.isOver else { return .served }
        if let error = self.missedError { error.thing.append(to: &self.connection.outgoing) }
        if self.isBehind { self.connection.outgoing.append(self.command.stateMessage) }
        self.missedError = nil
        self.isBehind = false
        return .served
    }
}

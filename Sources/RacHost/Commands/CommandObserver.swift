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
    private var missedError: Kept<FrameBytes>?

    init(connection: HostedConnection, command: NamedCommand) {
        self.command = command
        super.init(connection: connection)
    }

    private var isThrough: Bool { !self.isBehind && self.missedError == nil && self.connection.hasRoom }

    func tell(state: FrameBytes) {
        guard !self.isThrough else { return self.connection.outgoing.append(state) }
        self.isBehind = true
        self.connection.lag(self)
    }

    /// Sends an error now, or keeps it; an error for which there is no place gives way to the short one.
    func tell(error: FrameBytes, or short: () -> FrameBytes) {
        guard !self.isThrough else { return self.connection.outgoing.append(error) }
        let kept = self.connection.kept
        self.missedError = nil
        self.missedError = Kept(error, bytes: error.count, in: kept) ?? Kept(short: short(), in: kept)
        self.connection.lag(self)
    }

    override func serve(at time: Time) -> OnServed {
        guard !self.isOver else { return .served }
        if let error = self.missedError { self.connection.outgoing.append(error.thing) }
        if self.isBehind { self.connection.outgoing.append(self.command.stateFrame) }
        self.missedError = nil
        self.isBehind = false
        return .served
    }
}

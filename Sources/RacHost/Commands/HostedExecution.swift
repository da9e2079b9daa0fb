import RacProtocol

/// One run of a command, as a subscriber of its caller's connection.
///
/// Guarded by the host's isolation.
final class HostedExecution: QueueingSubscriber {
    let id: ExecutionID
    let command: NamedCommand
    let caller: CommandUser
    var machine = ExecutionStateMachine()

    init(id: ExecutionID, command: NamedCommand, caller: CommandUser) {
        self.id = id
        self.command = command
        self.caller = caller
        super.init(connection: caller.connection)
    }

    /// Sends the caller a value; returns whether it fitted.
    func relay(_ value: JSONText) -> Bool {
        let message = ServerMessage.progress(self.id, .next(value))
        if self.isThrough {
            self.connection.outgoing.append(message)
            return true
        }
        let waiting = OutgoingMessage(message)
        guard self.hasPlace(for: waiting) else { return false }
        self.keep(waiting)
        return true
    }

    /// Sends the caller the end, behind all values; an end for which there is no place becomes `slow-consumer`.
    func finish(_ end: ChannelEnd) {
        self.give(OutgoingMessage(.progress(self.id, .ended(end)))) {
            OutgoingMessage(.progress(self.id, .ended(.failed(self.tooSlow))))
        }
    }

    /// The reason for an end of this execution's caller alone.
    var tooSlow: WireError { self.tooSlow("execution") }

    override func serve(at time: Time) -> OnServed {
        self.drain()
        return .served
    }
}

import RacProtocol

/// The commands of a client: those that somebody in this program observes, and those that it hosts.
///
/// All state is used on the client's event loop.
final class ClientCommands {
    private var observed: [CommandName: ObservedCommand] = [:]
    private var hosted: [CommandName: CommandHostSide] = [:]

    /// How a command is, from the one who knows that if there is one: a connection observes a command once.
    func observe(_ name: CommandName, for view: any CommandView, _ engine: ClientEngine) -> ObservedCommand {
        if let command = self.observed[name] {
            command.add(view)
            return command
        }
        let command = ObservedCommand(name, engine)
        self.observed[name] = command
        command.add(view)
        command.start()
        return command
    }

    func forget(_ command: ObservedCommand) {
        if self.observed[command.name] === command { self.observed[command.name] = nil }
    }

    /// Enters the host of a command; returns the other one, if there is one.
    func host(_ side: CommandHostSide) -> CommandHostSide? {
        if let other = self.hosted[side.name] { return other }
        self.hosted[side.name] = side
        return nil
    }

    func forget(_ side: CommandHostSide) {
        if self.hosted[side.name] === side { self.hosted[side.name] = nil }
    }
}

@available(*, unavailable)
extension ClientCommands: Sendable {}

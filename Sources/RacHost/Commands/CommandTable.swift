import DequeModule
import RacProtocol

/// All commands, the connections that use them, and the executions under way.
struct CommandTable {
    /// The beginning of a time in which no connection used a command; the command may have been used again since.
    private struct Rest {
        let command: NamedCommand
        let number: Int

        var isOver: Bool { !self.command.isResting || self.command.rests != self.number }
    }

    let directory = CommandDirectory()
    private var users: [ConnectionID: CommandUser] = [:]
    private var lastCommand: UInt64 = 0
    private var lastExecution: UInt64 = 0
    private var rests: Deque<Rest> = []
    private var restingCount = 0

    /// The executions that hosts work on.
    private(set) var executions: [ExecutionID: HostedExecution] = [:]

    /// The number of hosted commands.
    var hostedCount = 0

    /// The number of all commands.
    var count: Int { self.directory.count }

    /// The number of kept rests, including those that are over.
    var restCount: Int { self.rests.count }

    subscript(_ name: CommandName) -> NamedCommand? { self.directory[name] }

    /// The command of this name for a user; a new one if there is none and a place is free.
    ///
    /// The command that has rested longest makes room.
    mutating func use(_ name: CommandName, most: Int) -> NamedCommand? {
        if let command = self.directory[name] {
            if command.isResting { self.restingCount -= 1 }
            command.isResting = false
            return command
        }
        if self.count >= most { self.forgetOldest() }
        guard self.count < most else { return nil }
        self.lastCommand += 1
        let command = NamedCommand(id: CommandID(self.lastCommand), name: name)
        self.directory.add(command)
        return command
    }

    /// A connection stops using a command.
    ///
    /// A command without other users is kept if it was ever hosted.
    mutating func release(_ command: NamedCommand) {
        guard !command.isUsed else { return }
        guard command.machine.isKnown else { return self.directory.remove(command) }
        command.rests += 1
        command.isResting = true
        self.restingCount += 1
        self.rests.append(Rest(command: command, number: command.rests))
        // A command that is hosted repeatedly leaves many rests behind one that rests long.
        if self.rests.count > 2 * self.restingCount + 64 { self.rests.removeAll(where: \.isOver) }
    }

    private mutating func forgetOldest() {
        while let rest = self.rests.popFirst() {
            guard !rest.isOver else { continue }
            return self.drop(rest.command)
        }
    }

    /// Drops a command that rests.
    private mutating func drop(_ command: NamedCommand) {
        command.isResting = false
        self.restingCount -= 1
        self.directory.remove(command)
    }

    /// Forgets that a command was ever hosted; one that has observers stays for them.
    mutating func forget(_ command: NamedCommand) {
        command.machine.forgotten()
        if command.isResting { self.drop(command) }
    }

    /// The connection as a user of commands; nil if it uses none.
    func user(_ connection: ConnectionID) -> CommandUser? { self.users[connection] }

    /// The connection as a user of commands, added if it is new.
    mutating func user(_ connection: HostedConnection) -> CommandUser {
        if let user = self.users[connection.id] { return user }
        let user = CommandUser(connection)
        self.users[connection.id] = user
        return user
    }

    /// Removes a connection; returns it if it used commands.
    mutating func removeUser(_ connection: ConnectionID) -> CommandUser? { self.users.removeValue(forKey: connection) }

    /// Starts an execution.
    mutating func start(_ command: NamedCommand, for caller: CommandUser) -> HostedExecution {
        self.lastExecution += 1
        let execution = HostedExecution(id: ExecutionID(self.lastExecution), command: command, caller: caller)
        self.executions[execution.id] = execution
        command.executions[execution.id] = execution
        caller.calls[execution.id] = execution
        command.host?.work += 1
        return execution
    }

    /// Ends an execution.
    mutating func end(_ execution: HostedExecution) {
        self.executions[execution.id] = nil
        self.executions.releaseMemory()
        execution.command.executions[execution.id] = nil
        execution.command.executions.releaseMemory()
    }
}

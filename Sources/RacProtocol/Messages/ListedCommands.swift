/// The answer to `commands`.
package struct ListedCommands: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var command: CommandName
        package var state: CommandState
        package var isConcurrent: Bool
        /// The number of connections that observe the command.
        package var observers: UInt64
        /// The number of executions that the host works on.
        package var executions: UInt64
        /// The client that hosts the command; nil if no client does.
        package var host: ConnectedClient?

        package init(
            command: CommandName,
            state: CommandState,
            isConcurrent: Bool,
            observers: UInt64,
            executions: UInt64,
            host: ConnectedClient?
        ) {
            self.command = command
            self.state = state
            self.isConcurrent = isConcurrent
            self.observers = observers
            self.executions = executions
            self.host = host
        }

        init(_ envelope: borrowing Envelope) throws(MessageError) {
            self.command = try envelope.command()
            self.state = try CommandState(envelope)
            self.isConcurrent = try envelope.flag(.concurrent) ?? false
            self.observers = try envelope.count(.observers) ?? 0
            self.executions = try envelope.count(.executions) ?? 0
            self.host = envelope.has(.connection) ? try ConnectedClient(envelope) : nil
        }

        func write(to object: inout ObjectWriter) {
            object.write(.command, self.command.text)
            self.state.write(to: &object)
            object.write(.concurrent, ifTrue: self.isConcurrent)
            object.write(.observers, self.observers)
            object.write(.executions, self.executions)
            self.host?.write(to: &object)
        }
    }

    package var commands: [Entry]
    /// Whether more names follow the last one.
    package var more: Bool

    package init(commands: [Entry], more: Bool) {
        self.commands = commands
        self.more = more
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.commands = try envelope.requiredEntries(.commands, Entry.init)
        self.more = try envelope.flag(.more) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(.commands, array: self.commands) { entry, bytes in
            bytes.writeObject(entry.write)
        }
        object.write(.more, self.more)
    }
}

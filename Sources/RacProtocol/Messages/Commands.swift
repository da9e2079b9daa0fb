/// A request to host a command.
package struct HostCommand: Hashable, Sendable {
    package var command: CommandName
    /// Whether several executions may run at once.
    package var isConcurrent = false
    /// The host's own condition.
    package var isEnabled = true

    package init(command: CommandName) {
        self.command = command
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.command = try envelope.command()
        self.isConcurrent = try envelope.flag(.concurrent) ?? false
        self.isEnabled = try envelope.flag(.enabled) ?? true
    }

    func write(to object: inout ObjectWriter) {
        object.write(.command, self.command.text)
        object.write(.concurrent, ifTrue: self.isConcurrent)
        if !self.isEnabled { object.write(.enabled, false) }
    }
}

/// A request to execute a command.
package struct Exec: Hashable, Sendable {
    package var command: CommandName
    package var input: JSONText?

    package init(command: CommandName, input: JSONText? = nil) {
        self.command = command
        self.input = input
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.command = try envelope.command()
        self.input = envelope.json(.input)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.command, self.command.text)
        object.write(.input, self.input)
    }
}

/// An execution, as the daemon asks the command's host for it.
package struct Execute: Hashable, Sendable {
    package var command: CommandID
    package var execution: ExecutionID
    package var input: JSONText?

    package init(command: CommandID, execution: ExecutionID, input: JSONText?) {
        self.command = command
        self.execution = execution
        self.input = input
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.command = try envelope.commandID()
        self.execution = try envelope.execution()
        self.input = envelope.json(.input)
    }

    func write(to object: inout ObjectWriter) {
        object.write(operation: "execute")
        object.write(self.command)
        object.write(self.execution)
        object.write(.input, self.input)
    }
}

/// An event of an execution: values, then one end.
package enum ExecutionEvent: Hashable, Sendable {
    case next(JSONText)
    case ended(ChannelEnd)

    func write(_ execution: ExecutionID, to object: inout ObjectWriter) {
        switch self {
        case .next(let value):
            object.write(operation: "next")
            object.write(execution)
            object.write(.value, value)
        case .ended(.completed):
            object.write(operation: "completed")
            object.write(execution)
        case .ended(.failed(let error)):
            object.write(operation: "error")
            object.write(execution)
            object.write(.error, error)
        }
    }
}

/// Whether a command may be executed now, and whether it runs.
package struct CommandState: Hashable, Sendable {
    package var isEnabled: Bool
    package var isExecuting: Bool

    package init(isEnabled: Bool, isExecuting: Bool) {
        self.isEnabled = isEnabled
        self.isExecuting = isExecuting
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.isEnabled = try envelope.requiredFlag(.enabled)
        self.isExecuting = try envelope.requiredFlag(.executing)
    }

    /// The state as an object of its own.
    package var object: SplitText { SplitText(object: self.write) }

    func write(to object: inout ObjectWriter) {
        object.write(.enabled, self.isEnabled)
        object.write(.executing, self.isExecuting)
    }
}

extension Envelope {
    func command() throws(MessageError) -> CommandName {
        let text = try self.requiredString(.command)
        do {
            return try CommandName(text)
        } catch {
            throw MessageError(.badName, error.description)
        }
    }

    func commandID() throws(MessageError) -> CommandID {
        CommandID(try self.requiredCount(.c))
    }

    func execution() throws(MessageError) -> ExecutionID {
        ExecutionID(try self.requiredCount(.x))
    }

    /// Whether an event belongs to an execution; no event belongs to a terminal as well.
    func isOfExecution() throws(MessageError) -> Bool {
        guard self.has(.x) else { return false }
        guard !self.has(.t) else {
            throw self.wrong(.x, "there without \"t\": one event is of a terminal or an execution")
        }
        return true
    }
}

extension ObjectWriter {
    mutating func write(_ command: CommandID) {
        self.write(.c, command.number)
    }

    mutating func write(_ execution: ExecutionID) {
        self.write(.x, execution.number)
    }
}

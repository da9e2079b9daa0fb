/// An event that a client sends into one of its terminals.
package struct Send: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case next(JSONText, condition: Revision?, cause: Revision?)
        case end(ChannelEnd)
    }

    package var terminal: TerminalID
    package var number: SendNumber
    package var event: Event
    package var sync: Bool

    package init(terminal: TerminalID, number: SendNumber, event: Event, sync: Bool) {
        self.terminal = terminal
        self.number = number
        self.event = event
        self.sync = sync
    }
}

extension Send {
    /// Reads a send of a value.
    init(next envelope: borrowing Envelope) throws(MessageError) {
        let event = Event.next(
            try envelope.requiredJSON(.value),
            condition: try envelope.revision(.if),
            cause: try envelope.revision(.cause)
        )
        try self.init(envelope, event)
    }

    init(_ envelope: borrowing Envelope, _ event: Event) throws(MessageError) {
        let number = SendNumber(try envelope.requiredCount(.n))
        guard number > .none else { throw envelope.wrong(.n, "at least 1") }
        self.init(
            terminal: try envelope.terminal(),
            number: number,
            event: event,
            sync: try envelope.flag(.sync) ?? false
        )
    }

    func write(to object: inout ObjectWriter) {
        switch self.event {
        case .next(let value, let condition, let cause):
            object.write(operation: "next")
            object.write(self.terminal)
            object.write(self.number)
            object.write(.if, condition)
            object.write(.cause, cause)
            object.write(.sync, ifTrue: self.sync)
            object.write(.value, value)
        case .end(.completed):
            self.writeEnd("completed", to: &object)
        case .end(.failed(let error)):
            self.writeEnd("error", to: &object)
            object.write(.error, error)
        }
    }

    private func writeEnd(_ operation: StaticString, to object: inout ObjectWriter) {
        object.write(operation: operation)
        object.write(self.terminal)
        object.write(self.number)
        object.write(.sync, ifTrue: self.sync)
    }
}

package import NIOCore

/// A message from a client to the daemon.
package enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    case request(RequestID, Request)
    case send(Send)
    /// An event of an execution, from the command's host.
    case progress(ExecutionID, ExecutionEvent)
    /// A caller cancels an execution.
    case cancel(ExecutionID)
    /// A host's own condition changed.
    case enabled(CommandID, Bool)
    /// The connection ends in order, so that wills do not apply.
    case bye
    case ping
    case pong
}

extension ClientMessage {
    private enum EventOperation: String, CaseIterable {
        case hello, pong, bye, next, completed, error, cancel, enabled

        var isSend: Bool {
            switch self {
            case .next, .completed, .error: true
            case .hello, .pong, .bye, .cancel, .enabled: false
            }
        }
    }

    private enum Operation {
        case event(EventOperation)
        case request(Request.Operation)

        var text: String {
            switch self {
            case .event(let operation): operation.rawValue
            case .request(let operation): operation.text
            }
        }
    }

    private static let operations = WordTable(
        EventOperation.allCases.map(Operation.event) + Request.Operation.allCases.map(Operation.request),
        text: \.text
    )

    /// Reads one payload.
    package init(payload: ByteBuffer) throws(MessageError) {
        let envelope = try Self.envelope(payload)
        let id = try envelope.integer(.id).map(RequestID.init)
        do {
            try self.init(envelope, id: id)
        } catch {
            throw MessageError(error, of: error.subject ?? id.map { .request($0) } ?? Self.send(in: envelope))
        }
    }

    private static func envelope(_ payload: ByteBuffer) throws(MessageError) -> Envelope {
        do {
            return try Envelope(payload)
        } catch {
            guard let refused = Envelope(refused: payload) else { throw error }
            let id = try? refused.integer(.id)
            throw MessageError(error, of: id.map { .request(RequestID($0)) } ?? Self.send(in: refused))
        }
    }

    /// The terminal and the number of a send whose other keys are wrong.
    private static func send(in envelope: borrowing Envelope) -> MessageError.Subject? {
        guard case .event(let operation)? = try? envelope.operation(.op, in: Self.operations), operation.isSend,
            !envelope.has(.x), let terminal = try? envelope.terminal(), let number = try? envelope.count(.n), number > 0
        else { return nil }
        return .send(terminal, SendNumber(number))
    }

    private init(_ envelope: borrowing Envelope, id: RequestID?) throws(MessageError) {
        guard let operation = try envelope.operation(.op, in: Self.operations) else {
            let name = try envelope.requiredString(.op)
            throw MessageError(.unknownOperation, "there is no operation \"\(name.beginning)\" in protocol version 1")
        }
        switch operation {
        case .event(let operation): try self.init(operation, envelope)
        case .request(.ping) where id == nil: self = .ping
        case .request(let operation):
            guard let id else { throw envelope.missing(.id, "an integer") }
            self = .request(id, try Request(operation, envelope))
        }
    }

    private init(_ operation: EventOperation, _ envelope: borrowing Envelope) throws(MessageError) {
        switch operation {
        case .hello: self = .hello(try Hello(envelope))
        case .pong: self = .pong
        case .bye: self = .bye
        case .next where try envelope.isOfExecution():
            self = .progress(try envelope.execution(), .next(try envelope.requiredJSON(.value)))
        case .next: self = .send(try Send(next: envelope))
        case .completed: self = try Self.end(.completed, envelope)
        case .error: self = try Self.end(.failed(try envelope.requiredError()), envelope)
        case .cancel: self = .cancel(try envelope.execution())
        case .enabled: self = .enabled(try envelope.commandID(), try envelope.requiredFlag(.enabled))
        }
    }

    private static func end(
        _ end: ChannelEnd,
        _ envelope: borrowing Envelope
    ) throws(MessageError) -> ClientMessage {
        guard try envelope.isOfExecution() else { return .send(try Send(envelope, .end(end))) }
        return .progress(try envelope.execution(), .ended(end))
    }
}

extension ClientMessage {
    /// Writes the message as one frame.
    package func write(to bytes: inout ByteBuffer) {
        bytes.writeFrame(object: { self.write(to: &$0) })
    }

    private func write(to object: inout ObjectWriter) {
        switch self {
        case .hello(let hello): hello.write(to: &object)
        case .request(let id, let request): request.write(id, to: &object)
        case .send(let send): send.write(to: &object)
        case .progress(let execution, let event): event.write(execution, to: &object)
        case .cancel(let execution):
            object.write(operation: "cancel")
            object.write(execution)
        case .enabled(let command, let isEnabled):
            object.write(operation: "enabled")
            object.write(command)
            object.write(.enabled, isEnabled)
        case .bye: object.write(operation: "bye")
        case .ping: object.write(operation: "ping")
        case .pong: object.write(operation: "pong")
        }
    }
}

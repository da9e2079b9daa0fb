package import NIOCore

/// What a client asks for; each request has exactly one answer.
package enum Request: Hashable, Sendable {
    case ping
    case bind(Bind)
    case unbind(TerminalID)
    case get(ChannelName)
    case set(SetValue)
    case finish(Finish)
    case reopen(ChannelOrder)
    case delete(ChannelOrder)
    case create(Create)
    case put(Put)
    case list(List)
    case who(ChannelName)
    case watch(ChannelPattern)
    case unwatch(WatchID)
    case host(HostCommand)
    case unhost(CommandID)
    case exec(Exec)
    case observe(CommandName)
    case unobserve(CommandID)
}

/// What a client sends into one of its terminals.
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

/// Everything that a client may say.
package enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    case request(RequestID, Request)
    case send(Send)
    /// What an execution says to its caller, from its host.
    case progress(ExecutionID, ExecutionEvent)
    /// A caller wants an execution to end.
    case cancel(ExecutionID)
    /// A host's own condition changed.
    case enabled(CommandID, Bool)
    /// The connection ends in order: wills are not applied.
    case bye
    case ping
    case pong
}

extension ClientMessage {
    private enum EventOperation: String, CaseIterable {
        case hello, pong, bye, next, completed, error, cancel, enabled
    }

    private enum RequestOperation: String, CaseIterable {
        case ping, bind, unbind, get, set, finish, reopen, delete, create, put, list, who, watch, unwatch
        case host, unhost, exec, observe, unobserve
    }

    private enum Operation {
        case event(EventOperation)
        case request(RequestOperation)

        var text: String {
            switch self {
            case .event(let operation): operation.rawValue
            case .request(let operation): operation.rawValue
            }
        }
    }

    private static let operations = WordTable(
        EventOperation.allCases.map(Operation.event) + RequestOperation.allCases.map(Operation.request),
        text: \.text
    )

    /// Reads one payload.
    package init(payload: ByteBuffer) throws(MessageError) {
        let envelope = try Envelope(payload)
        let id = try envelope.integer(.id).map(RequestID.init)
        do {
            try self.init(envelope, id: id)
        } catch {
            throw MessageError(error, id: id)
        }
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
            self = .request(id, try Self.request(operation, envelope))
        }
    }

    private init(_ operation: EventOperation, _ envelope: borrowing Envelope) throws(MessageError) {
        switch operation {
        case .hello: self = .hello(try Hello(envelope))
        case .pong: self = .pong
        case .bye: self = .bye
        case .next where try envelope.isOfExecution():
            self = .progress(try envelope.execution(), .next(try envelope.requiredJSON(.value)))
        case .next: self = .send(try Self.next(envelope))
        case .completed: self = try Self.end(.completed, envelope)
        case .error: self = try Self.end(.failed(try envelope.requiredError()), envelope)
        case .cancel: self = .cancel(try envelope.execution())
        case .enabled: self = .enabled(try envelope.commandID(), try envelope.requiredFlag(.enabled))
        }
    }

    private static func request(
        _ operation: RequestOperation,
        _ envelope: borrowing Envelope
    ) throws(MessageError) -> Request {
        switch operation {
        case .ping: return .ping
        case .bind: return .bind(try Bind(envelope))
        case .unbind: return .unbind(try envelope.terminal())
        case .get: return .get(try envelope.channel())
        case .set: return .set(try SetValue(envelope))
        case .finish: return .finish(try Finish(envelope))
        case .reopen: return .reopen(try ChannelOrder(envelope))
        case .delete: return .delete(try ChannelOrder(envelope))
        case .create: return .create(try Create(envelope))
        case .put: return .put(try Put(envelope))
        case .list: return .list(try List(envelope))
        case .who: return .who(try envelope.channel())
        case .watch:
            guard let pattern = try envelope.pattern() else { throw envelope.missing(.pattern, "a string") }
            return .watch(pattern)
        case .unwatch: return .unwatch(WatchID(try envelope.requiredCount(.w)))
        case .host: return .host(try HostCommand(envelope))
        case .unhost: return .unhost(try envelope.commandID())
        case .exec: return .exec(try Exec(envelope))
        case .observe: return .observe(try envelope.command())
        case .unobserve: return .unobserve(try envelope.commandID())
        }
    }

    private static func next(_ envelope: borrowing Envelope) throws(MessageError) -> Send {
        let event = Send.Event.next(
            try envelope.requiredJSON(.value),
            condition: try envelope.revision(.if),
            cause: try envelope.revision(.cause)
        )
        return try Self.send(envelope, event)
    }

    private static func end(
        _ end: ChannelEnd,
        _ envelope: borrowing Envelope
    ) throws(MessageError) -> ClientMessage {
        guard try envelope.isOfExecution() else { return .send(try Self.send(envelope, .end(end))) }
        return .progress(try envelope.execution(), .ended(end))
    }

    private static func send(_ envelope: borrowing Envelope, _ event: Send.Event) throws(MessageError) -> Send {
        let number = SendNumber(try envelope.requiredCount(.n))
        guard number > .none else { throw envelope.wrong(.n, "at least 1") }
        return Send(
            terminal: try envelope.terminal(),
            number: number,
            event: event,
            sync: try envelope.flag(.sync) ?? false
        )
    }
}

extension MessageError {
    /// The same fault, as the answer to a request.
    fileprivate init(_ fault: MessageError, id: RequestID?) {
        self.error = fault.error
        self.id = id
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

extension Send {
    fileprivate func write(to object: inout ObjectWriter) {
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

extension Request {
    fileprivate func write(_ id: RequestID, to object: inout ObjectWriter) {
        object.write(operation: self.operation)
        object.write(.id, id.number)
        switch self {
        case .ping: break
        case .bind(let bind): bind.write(to: &object)
        case .unbind(let terminal): object.write(terminal)
        case .get(let channel), .who(let channel): object.write(channel)
        case .set(let set): set.write(to: &object)
        case .finish(let finish): finish.write(to: &object)
        case .reopen(let order), .delete(let order): order.write(to: &object)
        case .create(let create): create.write(to: &object)
        case .put(let put): put.write(to: &object)
        case .list(let list): list.write(to: &object)
        case .watch(let pattern): object.write(.pattern, pattern.text)
        case .unwatch(let watch): object.write(.w, watch.number)
        case .host(let host): host.write(to: &object)
        case .unhost(let command), .unobserve(let command): object.write(command)
        case .exec(let exec): exec.write(to: &object)
        case .observe(let command): object.write(.command, command.text)
        }
    }

    private var operation: StaticString {
        switch self {
        case .ping: "ping"
        case .bind: "bind"
        case .unbind: "unbind"
        case .get: "get"
        case .set: "set"
        case .finish: "finish"
        case .reopen: "reopen"
        case .delete: "delete"
        case .create: "create"
        case .put: "put"
        case .list: "list"
        case .who: "who"
        case .watch: "watch"
        case .unwatch: "unwatch"
        case .host: "host"
        case .unhost: "unhost"
        case .exec: "exec"
        case .observe: "observe"
        case .unobserve: "unobserve"
        }
    }
}

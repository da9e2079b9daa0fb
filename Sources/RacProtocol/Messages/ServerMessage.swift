package import NIOCore

/// A channel's change, as a watch reports it.
package struct Changed: Hashable, Sendable {
    package var watch: WatchID
    package var channel: ChannelName
    package var revision: Revision
    /// The channel's state; nil if the channel was deleted.
    package var state: ChannelState?
    package var value: JSONText?
    package var wish: JSONText?
    package var wishRevision: Revision?
    /// The principal that made the change.
    package var by: String?

    package init(
        watch: WatchID,
        channel: ChannelName,
        revision: Revision,
        state: ChannelState?,
        value: JSONText?,
        wish: JSONText? = nil,
        wishRevision: Revision? = nil,
        by: String? = nil
    ) {
        self.watch = watch
        self.channel = channel
        self.revision = revision
        self.state = state
        self.value = value
        self.wish = wish
        self.wishRevision = wishRevision
        self.by = by
    }

    /// The change with copies of its values, which do not keep the received bytes.
    package var detached: Changed {
        var detached = self
        detached.value = self.value?.detached
        detached.wish = self.wish?.detached
        return detached
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.watch = WatchID(try envelope.requiredCount(.w))
        self.channel = try envelope.channel()
        self.revision = try envelope.requiredRevision(.rev)
        guard envelope.has(.state) else { throw envelope.missing(.state, "a state") }
        self.state = try envelope.state()
        self.value = envelope.json(.value)
        self.wish = envelope.json(.wish)
        self.wishRevision = try envelope.revision(.wishRev)
        self.by = try envelope.string(.by)
    }

    /// The change as an object of its own, without the number of its watch.
    package var object: SplitText { SplitText(object: self.writeContent) }

    func write(to object: inout ObjectWriter) {
        object.write(operation: "changed")
        object.write(.w, self.watch.number)
        self.writeContent(to: &object)
    }

    private func writeContent(to object: inout ObjectWriter) {
        object.write(self.channel)
        object.write(.rev, self.revision)
        object.write(.state, (self.state?.word ?? .deleted).rawValue)
        if case .failed(let error) = self.state { object.write(.error, error) }
        object.write(.value, self.value)
        object.write(.wish, self.wish)
        object.write(.wishRev, self.wishRevision)
        object.write(.by, self.by)
    }
}

/// A message from the daemon to a client.
package enum ServerMessage: Hashable, Sendable {
    case welcome(Welcome)
    case reply(RequestID, Reply)
    case refused(RequestID?, Refusal)
    case next(TerminalID, Valuation)
    /// A terminal ended. Without a revision only this binding ended, not the channel.
    case ended(TerminalID, ChannelEnd, Revision?)
    /// A terminal completed because its channel was deleted.
    case deleted(TerminalID, Revision)
    case ack(TerminalID, SendNumber, Revision)
    /// A send changed nothing, because the channel's valuation is newer in its chain of links.
    case unchanged(TerminalID, SendNumber, Valuation)
    case nak(TerminalID, SendNumber, Refusal)
    case changed(Changed)
    case synced(WatchID)
    /// The daemon asks a host for an execution.
    case execute(Execute)
    /// An event of an execution, for its caller.
    case progress(ExecutionID, ExecutionEvent)
    /// The daemon asks a host to give up an execution.
    case cancel(ExecutionID)
    /// The state of an observed command.
    case state(CommandID, CommandState)
    /// An execution of an observed command ended with an error.
    case failed(CommandID, ExecutionID, WireError)
    /// The daemon has ended the hosting of a command, for this reason.
    case unhosted(CommandID, WireError)
    case ping
    case pong
}

extension ServerMessage {
    /// Writes the message as one frame.
    package func write(to bytes: inout ByteBuffer) {
        bytes.writeFrame(object: { self.write(to: &$0) })
    }

    func write(to object: inout ObjectWriter) {
        switch self {
        case .welcome(let welcome): welcome.write(to: &object)
        case .reply(let id, let reply): reply.write(id, to: &object)
        case .refused(let id, let refusal):
            object.write(operation: "refused")
            object.write(.id, id?.number)
            refusal.write(to: &object)
        case .next(let terminal, let valuation):
            object.write(operation: "next")
            object.write(terminal)
            object.write(valuation)
        case .ended(let terminal, let end, let revision): Self.write(end, of: terminal, revision, to: &object)
        case .deleted(let terminal, let revision):
            Self.write(.completed, of: terminal, revision, to: &object)
            object.write(.deleted, true)
        case .ack(let terminal, let number, let revision):
            object.write(operation: "ack")
            object.write(terminal)
            object.write(number)
            object.write(.rev, revision)
        case .unchanged(let terminal, let number, let standing):
            object.write(operation: "ack")
            object.write(terminal)
            object.write(number)
            object.write(standing)
        case .nak(let terminal, let number, let refusal):
            object.write(operation: "nak")
            object.write(terminal)
            object.write(number)
            refusal.write(to: &object)
        case .changed(let changed): changed.write(to: &object)
        case .synced(let watch):
            object.write(operation: "synced")
            object.write(.w, watch.number)
        case .execute(let execute): execute.write(to: &object)
        case .progress(let execution, let event): event.write(execution, to: &object)
        case .cancel(let execution):
            object.write(operation: "cancel")
            object.write(execution)
        case .state(let command, let state):
            object.write(operation: "state")
            object.write(command)
            state.write(to: &object)
        case .failed(let command, let execution, let error):
            object.write(operation: "error")
            object.write(command)
            object.write(execution)
            object.write(.error, error)
        case .unhosted(let command, let error):
            object.write(operation: "unhosted")
            object.write(command)
            object.write(.error, error)
        case .ping: object.write(operation: "ping")
        case .pong: object.write(operation: "pong")
        }
    }

    private static func write(
        _ end: ChannelEnd,
        of terminal: TerminalID,
        _ revision: Revision?,
        to object: inout ObjectWriter
    ) {
        switch end {
        case .completed: object.write(operation: "completed")
        case .failed: object.write(operation: "error")
        }
        object.write(terminal)
        object.write(.rev, revision)
        if case .failed(let error) = end { object.write(.error, error) }
    }
}

extension ServerMessage {
    private enum Operation: String, CaseIterable {
        case welcome, reply, refused, next, completed, error, ack, nak, changed, synced, ping, pong
        case execute, cancel, state, unhosted
    }

    private static let operations = WordTable(Operation.allCases, text: \.rawValue)

    /// Reads one payload.
    ///
    /// - Parameters:
    ///   - payload: The payload of a frame.
    ///   - request: The request of an id, because a reply does not name its kind.
    /// - Returns: The message; nil for an unknown operation or an unknown request.
    /// - Throws: ``MessageError`` if the payload is no valid message.
    package static func read(
        payload: ByteBuffer,
        request: (RequestID) -> Request?
    ) throws(MessageError) -> ServerMessage? {
        if let next = PlainNext(payload) { return .next(next.terminal, next.valuation) }
        let envelope = try Envelope(payload)
        guard let operation = try envelope.operation(.op, in: Self.operations) else { return nil }
        let id = try envelope.integer(.id).map(RequestID.init)
        switch operation {
        case .welcome: return .welcome(try Welcome(envelope))
        case .reply:
            guard let id, let request = request(id) else { return nil }
            return .reply(id, try Reply(to: request, envelope))
        case .refused: return .refused(id, try Refusal(envelope))
        case .next where try envelope.isOfExecution():
            return .progress(try envelope.execution(), .next(try envelope.requiredJSON(.value)))
        case .next: return .next(try envelope.terminal(), try Self.valuation(envelope))
        case .completed where try envelope.flag(.deleted) ?? false:
            return .deleted(try envelope.terminal(), try envelope.requiredRevision(.rev))
        case .completed: return try Self.end(.completed, envelope)
        case .error where envelope.has(.c):
            return .failed(try envelope.commandID(), try envelope.execution(), try envelope.requiredError())
        case .error: return try Self.end(.failed(try envelope.requiredError()), envelope)
        case .ack where envelope.has(.value):
            return .unchanged(try envelope.terminal(), try Self.number(envelope), try Self.valuation(envelope))
        case .ack:
            return .ack(try envelope.terminal(), try Self.number(envelope), try envelope.requiredRevision(.rev))
        case .nak: return .nak(try envelope.terminal(), try Self.number(envelope), try Refusal(envelope))
        case .changed: return .changed(try Changed(envelope))
        case .synced: return .synced(WatchID(try envelope.requiredCount(.w)))
        case .execute: return .execute(try Execute(envelope))
        case .cancel: return .cancel(try envelope.execution())
        case .state: return .state(try envelope.commandID(), try CommandState(envelope))
        case .unhosted: return .unhosted(try envelope.commandID(), try envelope.requiredError())
        case .ping: return .ping
        case .pong: return .pong
        }
    }

    private static func end(
        _ end: ChannelEnd,
        _ envelope: borrowing Envelope
    ) throws(MessageError) -> ServerMessage {
        guard try envelope.isOfExecution() else {
            return .ended(try envelope.terminal(), end, try envelope.revision(.rev))
        }
        return .progress(try envelope.execution(), .ended(end))
    }

    private static func number(_ envelope: borrowing Envelope) throws(MessageError) -> SendNumber {
        SendNumber(try envelope.requiredCount(.n))
    }

    private static func valuation(_ envelope: borrowing Envelope) throws(MessageError) -> Valuation {
        Valuation(
            value: try envelope.requiredJSON(.value),
            revision: try envelope.requiredRevision(.rev),
            cause: try envelope.revision(.cause)
        )
    }
}

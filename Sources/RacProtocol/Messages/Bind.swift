/// The change of a channel when the binder's connection is lost.
package enum Will: Hashable, Sendable {
    case value(JSONText)
    case end(ChannelEnd)

    /// The bytes of its value or its error.
    package var byteCount: Int {
        switch self {
        case .value(let value): value.byteCount
        case .end(let end): end.state.byteCount
        }
    }

    init?(_ envelope: borrowing Envelope) throws(MessageError) {
        guard let object = try envelope.object(.will) else { return nil }
        let keys: [Key] = [.value, .completed, .error]
        guard keys.count(where: object.has) == 1 else {
            throw envelope.wrong(.will, "an object with one of value, completed and error")
        }
        if let value = object.json(.value) {
            self = .value(value.detached)
        } else if let error = try object.wireError() {
            self = .end(.failed(error))
        } else if try object.flag(.completed) == true {
            self = .end(.completed)
        } else {
            throw envelope.wrong(.will, "an object whose completed is true")
        }
    }

    func write(to object: inout ObjectWriter) {
        object.write(.will) { will in
            switch self {
            case .value(let value): will.write(.value, value)
            case .end(.completed): will.write(.completed, true)
            case .end(.failed(let error)): will.write(.error, error)
            }
        }
    }
}

/// The end of a channel or of an execution.
package enum ChannelEnd: Hashable, Sendable {
    case completed
    case failed(WireError)

    package var state: ChannelState {
        switch self {
        case .completed: .completed
        case .failed(let error): .failed(error)
        }
    }
}

/// A request to bind one of a channel's terminals.
package struct Bind: Hashable, Sendable {
    /// The longest interval, one day: it leaves room for arithmetic with times.
    package static let maximumInterval: UInt64 = 24 * 60 * 60 * 1000

    package var channel: ChannelName
    package var role: Role = .following
    /// Whether the answer brings the last value; by default it does for following and not for leading.
    package var replay: Bool?
    /// The revision that the client has already.
    package var since: Revision?
    /// The first value of a channel without one.
    package var defaultValue: JSONText?
    /// Whether a slow reader gets only the newest value; by default it does in a shared channel and not in a paired
    /// one.
    package var conflate: Bool?
    /// The interval in milliseconds in which at most one value is sent.
    package var interval: UInt64?
    package var will: Will?
    /// The terminal of the session's last binding to this channel and side, in the same epoch.
    package var was: TerminalID?

    package init(channel: ChannelName) {
        self.channel = channel
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.role = try envelope.word(.role, as: Role.self) ?? .following
        self.replay = try envelope.flag(.replay)
        self.since = try envelope.revision(.since)
        self.defaultValue = envelope.json(.default)?.detached
        self.conflate = try envelope.flag(.conflate)
        self.interval = try Self.interval(envelope)
        self.will = try Will(envelope)
        self.was = try envelope.count(.was).map { TerminalID($0) }
    }

    private static func interval(_ envelope: borrowing Envelope) throws(MessageError) -> UInt64? {
        guard let interval = try envelope.count(.interval) else { return nil }
        guard interval <= Self.maximumInterval else {
            throw envelope.wrong(.interval, "at most \(Self.maximumInterval) milliseconds, which is a day")
        }
        return interval
    }

    func write(to object: inout ObjectWriter) {
        object.write(.channel, self.channel.text)
        if self.role == .leading { object.write(.role, self.role.rawValue) }
        object.write(.replay, self.replay)
        object.write(.since, self.since)
        object.write(.default, self.defaultValue)
        object.write(.conflate, self.conflate)
        object.write(.interval, self.interval)
        self.will?.write(to: &object)
        object.write(.was, self.was?.number)
    }
}

/// The answer to a bind.
package struct Bound: Hashable, Sendable {
    package var terminal: TerminalID
    /// The terminal that the bind names, if its numbers go on in this one; nil if both are one terminal.
    package var was: TerminalID?
    /// The revision of the value that this terminal shows; 0 if it never had one.
    package var revision: Revision
    package var state: ChannelStateWord
    package var mode: ChannelMode
    /// The last send of this terminal that was applied in the client's session.
    package var lastApplied: SendNumber
    /// The revision of the newest value that this side of a paired channel sent; nil in a shared one.
    package var sent: Revision?
    package var value: JSONText?
    package var cause: Revision?

    package init(
        terminal: TerminalID,
        was: TerminalID? = nil,
        revision: Revision,
        state: ChannelStateWord,
        mode: ChannelMode,
        lastApplied: SendNumber,
        sent: Revision? = nil,
        value: JSONText?,
        cause: Revision?
    ) {
        self.terminal = terminal
        self.was = was
        self.revision = revision
        self.state = state
        self.mode = mode
        self.lastApplied = lastApplied
        self.sent = sent
        self.value = value
        self.cause = cause
    }

    package init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.terminal = try envelope.terminal()
        self.was = try envelope.count(.was).map { TerminalID($0) }
        self.revision = try envelope.requiredRevision(.rev)
        guard let state = try envelope.word(.state, as: ChannelStateWord.self) else {
            throw envelope.missing(.state, "a state")
        }
        self.state = state
        self.mode = try envelope.word(.mode, as: ChannelMode.self) ?? .shared
        self.lastApplied = SendNumber(try envelope.count(.n) ?? 0)
        self.sent = try envelope.revision(.sent)
        self.value = envelope.json(.value)
        self.cause = try envelope.revision(.cause)
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.terminal)
        object.write(.was, self.was?.number)
        object.write(.rev, self.revision)
        object.write(.state, self.state.rawValue)
        object.write(.mode, self.mode.rawValue)
        object.write(self.lastApplied)
        object.write(.sent, self.sent)
        object.write(.value, self.value)
        object.write(.cause, self.cause)
    }
}

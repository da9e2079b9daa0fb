import RacProtocol

/// Messages for connections that take no frames; copies share their memory.
struct MessageList {
    private(set) var messages: [ServerMessage]

    /// The bytes for which the messages count: about those of their frames.
    private(set) var byteCount: Int

    init(_ messages: [ServerMessage] = [], byteCount: Int = 0) {
        self.messages = messages
        self.byteCount = byteCount
    }

    init(_ message: ServerMessage) {
        self.init([message.detached], byteCount: message.byteCount)
    }

    mutating func append(_ message: ServerMessage) {
        self.messages.append(message.detached)
        self.byteCount += message.byteCount
    }

    /// The messages from an index on.
    func suffix(from index: Int) -> MessageList {
        guard index > 0 else { return self }
        let suffix = Array(self.messages[index...])
        return MessageList(suffix, byteCount: suffix.reduce(0) { $0 + $1.byteCount })
    }
}

extension ServerMessage {
    /// The bytes of most frames without names and values.
    private static let plainBytes = 96

    /// The message with a value in memory of its own, if many of its kind may wait for one reader.
    fileprivate var detached: ServerMessage {
        switch self {
        case .next(let terminal, let valuation): .next(terminal, valuation.detached)
        case .progress(let execution, .next(let value)): .progress(execution, .next(value.detached))
        case .changed(let changed): .changed(changed.detached)
        default: self
        }
    }

    /// About the bytes of its frame.
    var byteCount: Int { Self.plainBytes + self.contentBytes }

    private var contentBytes: Int {
        switch self {
        case .reply(_, let reply): reply.contentBytes(entry: Self.plainBytes)
        case .refused(_, let refusal), .nak(_, _, let refusal):
            refusal.error.byteCount + (refusal.value?.byteCount ?? 0)
        case .next(_, let valuation), .unchanged(_, _, let valuation): valuation.value.byteCount
        case .changed(let changed):
            changed.channel.text.utf8.count + (changed.state?.byteCount ?? 0) + (changed.value?.byteCount ?? 0)
                + (changed.wish?.byteCount ?? 0)
        case .progress(_, .next(let value)): value.byteCount
        case .ended(_, let end, _), .progress(_, .ended(let end)): end.state.byteCount
        case .failed(_, _, let error), .unhosted(_, let error): error.byteCount
        case .execute(let execute): execute.input?.byteCount ?? 0
        case .welcome, .deleted, .ack, .synced, .cancel, .state, .ping, .pong: 0
        }
    }
}

extension Reply {
    /// About the bytes of names and values, with this many for each entry of a list.
    fileprivate func contentBytes(entry: Int) -> Int {
        switch self {
        case .got(let got): got.state.byteCount + (got.value?.byteCount ?? 0) + (got.wish?.byteCount ?? 0)
        case .bound(let bound): bound.value?.byteCount ?? 0
        case .revisions(let revisions): revisions.count * MemoryLayout<Revision>.stride
        case .listed(let listed): listed.channels.reduce(0) { $0 + entry + $1.channel.text.utf8.count }
        case .commands(let listed): listed.commands.reduce(0) { $0 + entry + $1.command.name.text.utf8.count }
        case .who(let who): who.entries.count * entry
        case .connections(let listed): listed.entries.count * entry
        case .done, .revision, .watching, .hosting, .executing, .observing: 0
        }
    }
}

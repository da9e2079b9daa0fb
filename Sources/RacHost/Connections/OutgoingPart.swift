import RacProtocol

/// Something that goes to connections.
protocol OutgoingPart {
    /// The bytes for which it counts, as messages or as frames.
    func byteCount(asMessages: Bool) -> Int

    func append(to outgoing: inout Outgoing)
}

extension FrameBytes: OutgoingPart {
    func byteCount(asMessages: Bool) -> Int { self.count }

    func append(to outgoing: inout Outgoing) { outgoing.append(self) }
}

extension MessageList: OutgoingPart {
    func byteCount(asMessages: Bool) -> Int { self.byteCount }

    func append(to outgoing: inout Outgoing) { outgoing.append(self) }
}

/// A message for any number of connections, encoded once, and only if one of them takes frames.
///
/// Guarded by the host's isolation.
final class OutgoingMessage: OutgoingPart {
    private let message: ServerMessage
    private lazy var frame = FrameBytes(self.message)
    private lazy var list = MessageList(self.message)

    init(_ message: ServerMessage) {
        self.message = message
    }

    func byteCount(asMessages: Bool) -> Int { asMessages ? self.list.byteCount : self.frame.count }

    func append(to outgoing: inout Outgoing) {
        if outgoing.takesMessages { outgoing.append(self.list) } else { outgoing.append(self.frame) }
    }
}

extension HostedConnection {
    /// The bytes for which a part counts in the connection's output.
    func bytes(of part: some OutgoingPart) -> Int { part.byteCount(asMessages: self.outgoing.takesMessages) }
}

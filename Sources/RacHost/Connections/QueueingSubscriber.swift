import RacProtocol

/// A subscriber that queues its frames or messages, in order, while its connection has no room for them.
///
/// Guarded by the host's isolation.
class QueueingSubscriber: Subscriber {
    /// An end of this length always queues.
    private static let shortBytes = 1 << 10

    /// The queued output, including that of the end.
    private(set) var backlog: Outgoing

    override init(connection: HostedConnection) {
        self.backlog = Outgoing(takesMessages: connection.outgoing.takesMessages)
        super.init(connection: connection)
    }

    /// Whether output can be sent at once, because none is queued.
    var isThrough: Bool { self.backlog.count == 0 && self.connection.hasRoom }

    /// Whether a part may queue.
    ///
    /// One of any length may, if the connection has place for it: else a long value could never be sent.
    func hasPlace(for part: some OutgoingPart) -> Bool {
        let bytes = self.connection.bytes(of: part)
        let isWithinOwn =
            self.backlog.isEmpty || self.backlog.count + bytes <= self.connection.limits.queuedBytesPerBinding
        return isWithinOwn && self.connection.hasPlace(for: bytes)
    }

    /// The error of a subscriber for which more bytes queued than may.
    func tooSlow(_ name: String) -> WireError {
        let limits = self.connection.limits
        let what =
            "more than \(limits.queuedBytesPerBinding) bytes waited for this \(name), "
            + "or \(limits.bytesPerConnection) for all of this connection"
        return WireError(.slowConsumer, what)
    }

    func keep(_ part: some OutgoingPart) {
        part.append(to: &self.backlog)
        self.connection.queued(self.connection.bytes(of: part))
        self.connection.lag(self)
    }

    /// Sends the part now, or queues it.
    func give(_ part: some OutgoingPart) {
        if self.isThrough { part.append(to: &self.connection.outgoing) } else { self.keep(part) }
    }

    /// Sends the end now, or queues it; a long end for which there is no place gives way to the short one.
    func give(_ end: OutgoingMessage, or short: () -> OutgoingMessage) {
        let fits = self.isThrough || self.connection.bytes(of: end) <= Self.shortBytes || self.hasPlace(for: end)
        self.give(fits ? end : short())
    }

    /// Sends the queued output at once.
    func drain() {
        self.connection.queued(-self.backlog.count)
        self.connection.outgoing.append(self.backlog.take())
    }
}

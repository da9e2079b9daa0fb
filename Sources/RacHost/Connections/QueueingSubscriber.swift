import RacProtocol

/// A subscriber that queues its frames, in order, while its connection has no room for them.
///
/// Guarded by the host's isolation.
class QueueingSubscriber: Subscriber {
    /// An end of this length always queues.
    private static let shortBytes = 1 << 10

    /// The queued frames, including those of the end.
    private(set) var backlog = Outgoing()

    /// Whether a frame can be sent at once, because none is queued.
    var isThrough: Bool { self.backlog.count == 0 && self.connection.hasRoom }

    /// Whether this number of bytes may queue.
    ///
    /// One frame of any length may, if the connection has place for it: else a long value could never be sent.
    func hasPlace(for bytes: Int) -> Bool {
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

    func keep(_ frames: FrameBytes) {
        self.backlog.append(frames)
        self.connection.queued(frames.count)
        self.connection.lag(self)
    }

    /// Sends the frames now, or queues them.
    func give(_ frames: FrameBytes) {
        if self.isThrough { self.connection.outgoing.append(frames) } else { self.keep(frames) }
    }

    /// Sends the end now, or queues it; a long end for which there is no place gives way to the short one.
    func give(_ end: FrameBytes, or short: () -> FrameBytes) {
        let fits = self.isThrough || end.count <= Self.shortBytes || self.hasPlace(for: end.count)
        self.give(fits ? end : short())
    }

    /// Sends the queued frames at once.
    func drain() {
        self.connection.queued(-self.backlog.count)
        for piece in self.backlog.take() { self.connection.outgoing.append(piece) }
    }
}

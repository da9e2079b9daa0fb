import RacProtocol

/// A subscriber that queues its frames, in order, while its connection has no room for them.
///
/// Guarded by the host's isolation.
class QueueingSubscriber: Subscriber {
    /// The queued frames, including those of the end.
    private(set) var backlog = Outgoing()

    /// Whether a frame can be sent at once, because none is queued.
    var isThrough: Bool { self.backlog.count == 0 && self.connection.hasRoom }

    /// Whether this number of bytes may queue.
    ///
    /// Behind an empty queue everything fits: else a value longer than the limit could never be sent.
    func hasPlace(for bytes: Int) -> Bool {
        guard self.backlog.count > 0 else { return true }
        let limit = self.connection.limits.queuedBytesPerBinding
        return self.backlog.count + bytes <= limit && self.connection.hasPlace(for: bytes)
    }

    func keep(_ frames: FrameBytes) {
        self.backlog.append(frames)
        self.connection.queuedBytes += frames.count
        self.connection.lag(self)
    }

    /// Sends the frames now, or queues them.
    func give(_ frames: FrameBytes) {
        if self.isThrough { self.connection.outgoing.append(frames) } else { self.keep(frames) }
    }

    /// Sends the queued frames at once.
    func drain() {
        self.connection.queuedBytes -= self.backlog.count
        for piece in self.backlog.take() { self.connection.outgoing.append(piece) }
    }
}

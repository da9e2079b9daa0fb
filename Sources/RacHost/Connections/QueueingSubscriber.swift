import RacProtocol

/// A subscriber whose frames queue, in their order, while its connection has no room for them.
///
/// Guarded by the host's isolation.
class QueueingSubscriber: Subscriber {
    /// What queues, and what is left to say after the end.
    private(set) var backlog = Outgoing()

    /// Whether what is said now comes behind all that was there before.
    var isThrough: Bool { self.backlog.count == 0 && self.connection.hasRoom }

    /// Whether so much may queue.
    ///
    /// What comes while nothing queues always has a place, or a value longer than the limit could never be told.
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

    /// Says it now or later.
    func give(_ frames: FrameBytes) {
        if self.isThrough { self.connection.outgoing.append(frames) } else { self.keep(frames) }
    }

    /// Says at once what queues.
    func drain() {
        self.connection.queuedBytes -= self.backlog.count
        for piece in self.backlog.take() { self.connection.outgoing.append(piece) }
    }
}

package import RacProtocol

/// One watch of a connection, for a program that takes its events as a sequence.
///
/// Isolation: the connection's event loop.
package final class WatchFeed: WatchListener {
    let id: WatchID
    private var mailbox: Mailbox<WatchQueue>

    init(_ id: WatchID, limits: ConnectionLimits) {
        self.id = id
        self.mailbox = Mailbox(WatchQueue(maximumChannels: limits.waitingChannels))
    }

    /// Resumes with the next event as soon as there is one.
    func take(_ continuation: CheckedContinuation<Mailbox<WatchQueue>.Taken, Never>) {
        self.mailbox.resume(continuation)
    }

    /// The most events that a program gets at once: those behind them may still give way to newer ones.
    private static let maximumMore = 255

    /// Takes events that are there.
    func takeMore() -> [WatchEvent] {
        var events: [WatchEvent] = []
        while events.count < Self.maximumMore, let event = self.mailbox.queue.next() { events.append(event) }
        return events
    }

    func cancelTaking() {
        self.mailbox.cancelWaiting()
    }

    package func changed(_ changed: Changed) -> Bool {
        let hasRoom = self.mailbox.queue.append(changed.detached)
        self.mailbox.wake()
        guard !hasRoom else { return true }
        self.finish(ClientError(.slowConsumer, "this program took the news of its watch too slowly"))
        return false
    }

    package func synced() {
        self.mailbox.queue.appendSynced()
        self.mailbox.wake()
    }

    package func finish(_ error: ClientError?) {
        self.mailbox.finish(error.map { .failure($0) } ?? .success(nil))
    }
}

@available(*, unavailable)
extension WatchFeed: Sendable {}

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

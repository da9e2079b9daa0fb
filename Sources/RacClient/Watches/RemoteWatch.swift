import NIOCore
import RacProtocol

/// A watch of a client over its connections.
///
/// All state is used on the client's event loop.
final class RemoteWatch: ConnectionUser, WatchListener {
    let pattern: ChannelPattern
    private weak var engine: ClientEngine?
    private var memory: WatchMemory
    private var mailbox: Mailbox<WatchQueue>
    private var dispatcher: Dispatcher?
    private var watch: WatchID?
    private var isOver = false

    init(_ pattern: ChannelPattern, _ engine: ClientEngine) {
        let maximum = ConnectionLimits().waitingChannels
        self.pattern = pattern
        self.engine = engine
        self.memory = WatchMemory(maximumChannels: maximum)
        self.mailbox = Mailbox(WatchQueue(maximumChannels: maximum))
    }

    func start() {
        self.engine?.add(self)
    }

    var isSettled: Bool { true }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.memory.watchedAnew()
        dispatcher.watch(self.pattern, for: self) { [weak self, weak dispatcher] result in
            guard let self, dispatcher?.end == nil else { return }
            switch result {
            // A request cannot be taken back before its answer.
            case .success(let watch) where self.isOver: dispatcher?.unwatch(watch, of: self)
            case .success(let watch): self.watch = watch
            case .failure(let error): self.finish(.failure(error))
            }
        }
    }

    func disconnected() {
        self.dispatcher = nil
        self.watch = nil
    }

    func gone(_ error: ClientError) {
        self.finish(.failure(error))
    }

    /// Ends itself when there is no room, so the dispatcher need not.
    func changed(_ changed: Changed) -> Bool {
        switch self.memory.changed(changed) {
        case .tell: self.tell(changed)
        case .nothing: break
        case .full: self.finish(.failure(.tooManyChannels))
        }
        return true
    }

    /// The engine reports a lost connection to its watches itself.
    func finish(_ error: ClientError?) {}

    private func tell(_ changed: Changed) {
        guard self.mailbox.queue.append(changed.detached) else { return self.finish(.failure(.tooManyChannels)) }
        self.mailbox.wake()
    }

    func synced() {
        guard let watch = self.watch else { return }
        for (channel, revision) in self.memory.synced() {
            self.tell(Changed(watch: watch, channel: channel, revision: revision, state: nil, value: nil))
        }
        self.mailbox.queue.appendSynced()
        self.mailbox.wake()
    }

    func take(_ continuation: CheckedContinuation<Mailbox<WatchQueue>.Taken, Never>) {
        self.mailbox.resume(continuation)
    }

    func cancelTaking() {
        self.mailbox.cancelWaiting()
    }

    /// The program does not want it any more, or there is nothing more to tell.
    func finish(_ end: Mailbox<WatchQueue>.Taken) {
        guard !self.isOver else { return }
        self.isOver = true
        if let watch = self.watch { self.dispatcher?.unwatch(watch, of: self) }
        self.engine?.forget(self)
        self.dispatcher = nil
        self.mailbox.finish(end)
    }
}

@available(*, unavailable)
extension RemoteWatch: Sendable {}

extension ClientError {
    fileprivate static let tooManyChannels = ClientError(
        .slowConsumer,
        "a watch keeps \(ConnectionLimits().waitingChannels) channels at most: watch a narrower pattern"
    )
}

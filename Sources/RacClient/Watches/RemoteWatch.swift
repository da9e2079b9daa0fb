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
    private var isAsking = false
    /// Whether the program gets nothing more; until the answer to its request the watch stays.
    private var isOver = false
    /// The next watches of the pattern, which begin when this one has left.
    private var successors: [RemoteWatch] = []

    init(_ pattern: ChannelPattern, _ engine: ClientEngine) {
        let maximum = ConnectionLimits().waitingChannels
        self.pattern = pattern
        self.engine = engine
        self.memory = WatchMemory(maximumChannels: maximum)
        self.mailbox = Mailbox(WatchQueue(maximumChannels: maximum))
    }

    func start() {
        guard !self.isOver, let engine = self.engine else { return }
        if let leaving = engine.sharedUser(self.pattern, as: RemoteWatch.self) {
            return leaving.successors.append(self)
        }
        engine.add(self)
    }

    var isSettled: Bool { true }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.memory.watchedAnew()
        self.isAsking = true
        dispatcher.watch(self.pattern, for: self) { [weak self, weak dispatcher] result in
            guard let self, dispatcher?.end == nil else { return }
            self.isAsking = false
            switch result {
            case .success(let watch): self.watch = watch
            case .failure(let error): self.finish(.failure(error))
            }
            if self.isOver { self.leave() }
        }
    }

    func disconnected() {
        self.dispatcher = nil
        self.watch = nil
        self.isAsking = false
        if self.isOver { self.leave() }
    }

    func gone(_ error: ClientError) {
        self.disconnected()
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

    /// The program does not want it any more, or there is nothing more to report.
    func finish(_ end: Mailbox<WatchQueue>.Taken) {
        guard !self.isOver else { return }
        self.isOver = true
        self.mailbox.finish(end)
        // A request cannot be taken back before its answer, and the daemon refuses another watch of the pattern until then.
        if self.isAsking { self.engine?.share(self, as: self.pattern) } else { self.leave() }
    }

    private func leave() {
        guard let engine = self.engine else { return }
        if let watch = self.watch { self.dispatcher?.unwatch(watch, of: self) }
        self.engine = nil
        self.dispatcher = nil
        engine.forget(self, sharedAs: self.pattern)
        let successors = self.successors
        self.successors = []
        for successor in successors { successor.start() }
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

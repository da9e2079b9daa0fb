import NIOCore
public import RacProtocol

/// All channels whose names match a pattern: first how they are, then how they change.
///
/// A slow program gets only the newest state of each channel. After a lost connection it gets only later changes,
/// deletions included. One task at a time takes from it. It ends with the client, with an error, and releasing it ends
/// the watch. Semantics: protocol.md, "Watches".
public struct ChannelWatch: AsyncSequence, Sendable {
    /// An event of a watch.
    public enum Event: Hashable, Sendable {
        /// A channel as it is, or as it has become.
        case changed(ChannelChange)
        /// All present channels have been reported; only changes follow. This comes once.
        case synced
    }

    private let holder: Holder

    init(_ pattern: ChannelPattern, _ loop: ClientLoop) {
        self.holder = Holder(pattern, loop)
    }

    /// Takes the events of a watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let holder: Holder

        /// Waits for the next event.
        ///
        /// - Returns: The event, or nil if the task has been cancelled.
        /// - Throws: `ClientError` with code `closed`, `limit`, `slowConsumer`, or `alreadyBound` if the client watches
        ///   that pattern already.
        public mutating func next() async throws(ClientError) -> Event? {
            try await self.holder.next()
        }

        /// Waits for the next event, without leaving an actor meanwhile.
        ///
        /// - Parameter actor: Where the caller runs.
        /// - Returns: The event, or nil if the task has been cancelled.
        /// - Throws: As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Event? {
            try await self.holder.next()
        }
    }

    /// Takes from the watch.
    ///
    /// - Returns: The iterator that waits for the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(holder: self.holder)
    }
}

/// The new state of a channel.
public struct ChannelChange: Hashable, Sendable {
    /// The channel's name.
    public let name: ChannelName
    /// The revision of its newest change; of one that was deleted while there was no connection the last one known.
    public let revision: Revision
    /// Whether it is open, and how it ended if it is not; nil if it has been deleted.
    public let state: ChannelState?
    /// Its value, if it has one.
    public let value: JSONText?
    /// The last value of a paired channel's following side; nil also from a racd that does not send it.
    public let wish: JSONText?
    /// The revision of the wish.
    public let wishRevision: Revision?
    /// The name of the principal that made the newest change; nil if a client of an open daemon made it.
    public let by: String?

    init(_ changed: Changed) {
        self.name = changed.channel
        self.revision = changed.revision
        self.state = changed.state
        self.value = changed.value
        self.wish = changed.wish
        self.wishRevision = changed.wishRevision
        self.by = changed.by
    }
}

extension ChannelChange: Identifiable {
    /// The channel's name.
    public var id: ChannelName { self.name }
}

/// Ends the watch when nobody holds it any more.
private final class Holder: Sendable {
    private let loop: ClientLoop
    private let watch: NIOLoopBoundBox<RemoteWatch?>

    init(_ pattern: ChannelPattern, _ loop: ClientLoop) {
        self.loop = loop
        self.watch = .makeEmptyBox(eventLoop: loop.eventLoop)
        loop.eventLoop.execute { [watch, engine = loop.engine] in
            let made = RemoteWatch(pattern, engine.value)
            watch.value = made
            made.start()
        }
    }

    deinit {
        self.loop.eventLoop.execute { [watch] in watch.value?.finish(.success(nil)) }
    }

    func next() async throws(ClientError) -> ChannelWatch.Event? {
        let isCancelled = Flag()
        let taken: Mailbox<WatchQueue>.Taken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.loop.eventLoop.execute { [watch] in
                    guard let watch = watch.value else { return continuation.resume(returning: .success(nil)) }
                    watch.take(continuation)
                    if isCancelled.isSet { watch.cancelTaking() }
                }
            }
        } onCancel: {
            isCancelled.set()
            self.loop.eventLoop.execute { [watch] in watch.value?.cancelTaking() }
        }
        switch try taken.get() {
        case .changed(let changed): return .changed(ChannelChange(changed))
        case .synced: return .synced
        case nil: return nil
        }
    }
}

extension Client {
    /// Watches all channels whose names match a pattern, those that come later too.
    ///
    /// - Parameter pattern: As protocol.md, "Names" has it: `home/*/light`, `**/temperature`.
    /// - Returns: How they are and how they change; a client watches a pattern once at a time.
    /// - Throws: `ClientError` with code `badName`.
    public func watch(_ pattern: some NameText) throws(ClientError) -> ChannelWatch {
        ChannelWatch(try ChannelPattern(checking: pattern), self.loop)
    }
}

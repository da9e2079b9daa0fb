internal import Synchronization

/// Two terminals joined back to back: a value that is sent into one comes out of the other.
///
/// The last value that was sent into ``leading`` is stored for later observers of ``following``; a value sent into
/// `following` is not. An end from either side is the end for the observers of both, late ones too. Each direction has
/// one order; the two have no order between them. Releasing the last terminal removes the channel silently. Semantics:
/// docs/semantics.md, channel-1 to channel-11. ReactiveObjC: RACChannel.
public struct TwoWayChannel<Value: Sendable, Failure: Error>: Sendable {
    /// The model's side: it gets later values.
    public let leading: ChannelTerminal<Value, Failure>
    /// The view's side: it first gets the last value that was sent into the other one, if any.
    public let following: ChannelTerminal<Value, Failure>

    /// Makes a channel without a value.
    @inlinable
    public init() {
        let core = ChannelCore<Value, Failure>()
        let owner = ChannelOwner(core)
        self.leading = ChannelTerminal(core.port(sending: core.toFollowing, hearing: core.toLeading), keeping: owner)
        self.following = ChannelTerminal(core.port(sending: core.toLeading, hearing: core.toFollowing), keeping: owner)
    }
}

/// The two directions of a channel.
@usableFromInline
final class ChannelCore<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let toFollowing = ChangeCore<Value, Failure>(keeping: .last)
    @usableFromInline let toLeading = ChangeCore<Value, Failure>(keeping: .nothing)
    private let isOver = Atomic(false)

    @usableFromInline
    init() {}

    /// The port of one terminal.
    @inlinable
    func port(
        sending: ChangeCore<Value, Failure>,
        hearing: ChangeCore<Value, Failure>
    ) -> TerminalPort<Value, Failure> {
        TerminalPort(
            send: { sending.send($0) },
            take: { sending.relay($0) },
            end: { self.end($0, first: hearing, then: sending) },
            add: { if let renewal = hearing.add($0, replaying: $1) { sending.relay(renewal) } },
            upstreams: hearing.upstreams
        )
    }

    /// Ends both directions alike; the one that ends first is heard where the end was sent.
    @usableFromInline
    func end(_ ending: Ending<Failure>, first: ChangeCore<Value, Failure>, then second: ChangeCore<Value, Failure>) {
        guard !self.isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        first.end(ending)
        second.end(ending)
    }
}

/// The owner that the terminals of a channel hold: after its release no sender is left.
@usableFromInline
final class ChannelOwner<Value: Sendable, Failure: Error>: Sendable {
    private let core: ChannelCore<Value, Failure>

    @usableFromInline
    init(_ core: ChannelCore<Value, Failure>) {
        self.core = core
    }

    deinit {
        self.core.toFollowing.abandon()
        self.core.toLeading.abandon()
    }
}

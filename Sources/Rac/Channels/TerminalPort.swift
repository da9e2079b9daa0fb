/// What a terminal does: how it is sent into, listened to, ended and bound.
///
/// It does not keep its owner alive, be it a property or a channel. Closures, because those of a generic type that is
/// known where it is used run at full speed there.
@usableFromInline
package struct TerminalPort<Value: Sendable, Failure: Error>: Sendable {
    /// Takes a new value.
    @usableFromInline package let send: @Sendable (Value) -> Void
    /// Takes a change that a binding carries from elsewhere.
    @usableFromInline package let take: @Sendable (Change<Value>) -> Void
    /// Ends it, unless it has ended before.
    @usableFromInline package let end: @Sendable (Ending<Failure>) -> Void
    /// Adds someone who hears what comes out, renewals among it.
    @usableFromInline package let add: @Sendable (Sink<Change<Value>, Failure>, Replay) -> Void
    /// The subscription that those to its sources belong to; disposed when it has told its end or has gone away.
    @usableFromInline package let upstreams: Subscription
    /// Whether it completes when the owner of a property goes away.
    @usableFromInline package let endsWithOwner: Bool
    /// What bindings have to know of it if its other side is far away.
    @usableFromInline package let remoteness: Remoteness?

    /// Makes a port of its parts.
    @inlinable
    package init(
        send: @escaping @Sendable (Value) -> Void,
        take: @escaping @Sendable (Change<Value>) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void,
        add: @escaping @Sendable (Sink<Change<Value>, Failure>, Replay) -> Void,
        upstreams: Subscription,
        endsWithOwner: Bool = false,
        remoteness: Remoteness? = nil
    ) {
        self.send = send
        self.take = take
        self.end = end
        self.add = add
        self.upstreams = upstreams
        self.endsWithOwner = endsWithOwner
        self.remoteness = remoteness
    }

    /// Carries every change that comes out of this port into `target`, and then the end.
    func pass<OtherFailure>(
        into target: TerminalPort<Value, OtherFailure>,
        under binding: Subscription,
        replaying replay: Replay,
        end: (@Sendable (Ending<Failure>) -> Void)? = nil
    ) {
        let subscription = Subscription(in: binding)
        guard subscription.isOpen else { return }
        self.add(Sink(subscription, value: target.take, end: end ?? { target.end($0.carried()) }), replay)
    }
}

/// What bindings have to know of a terminal whose other side is far away, and belongs to others too.
@usableFromInline
package struct Remoteness: Sendable {
    /// Calls back once the state over there is known, at once if it is; never if it ends before.
    @usableFromInline package let whenReported: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// What has to be held for as long as somebody listens here.
    @usableFromInline package let holder: any AnyObject & Sendable
}

extension Ending {
    /// This end for a side that may fail in another way: a failure that it does not know completes it.
    func carried<OtherFailure>() -> Ending<OtherFailure> {
        switch self {
        case .completed: .completed
        case .failed(let failure): (failure as? OtherFailure).map { .failed($0) } ?? .completed
        }
    }
}

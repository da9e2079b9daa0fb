/// The functions of a terminal: to send, to listen, to end and to bind.
///
/// It keeps no owner alive, be it a property or a channel. It has closures because a closure of a known generic type
/// runs at full speed at its place of use.
@usableFromInline
package struct TerminalPort<Value: Sendable, Failure: Error>: Sendable {
    /// Takes a new value.
    @usableFromInline package let send: @Sendable (Value) -> Void
    /// Takes a change that a binding carries.
    @usableFromInline package let take: @Sendable (Change<Value>) -> Void
    /// Ends it, unless it has ended before.
    @usableFromInline package let end: @Sendable (Ending<Failure>) -> Void
    /// Adds a listener of the values that come out, renewals included.
    @usableFromInline package let add: @Sendable (Sink<Change<Value>, Failure>, Replay) -> Void
    /// The parent of the subscriptions to its sources; disposed behind its end or at its release.
    @usableFromInline package let upstreams: Subscription
    /// Whether the terminal itself has been ended; nil if it belongs to no property.
    ///
    /// A terminal of a property that completes without that has lost its owner.
    @usableFromInline package let isOver: (@Sendable () -> Bool)?
    /// Facts for bindings, if its other side is far away.
    @usableFromInline package let remoteness: Remoteness?
    /// Answers a change that comes behind the end with the value that stands; nil if none does, or before the end.
    @usableFromInline package let answer: (@Sendable (Change<Value>) -> Change<Value>?)?
    /// The property, as a binding knows it; nil if the terminal belongs to no property of this program.
    @usableFromInline package let tied: TiedProperty?

    /// Makes a port of its parts.
    @inlinable
    package init(
        send: @escaping @Sendable (Value) -> Void,
        take: @escaping @Sendable (Change<Value>) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void,
        add: @escaping @Sendable (Sink<Change<Value>, Failure>, Replay) -> Void,
        upstreams: Subscription,
        isOver: (@Sendable () -> Bool)? = nil,
        remoteness: Remoteness? = nil,
        answer: (@Sendable (Change<Value>) -> Change<Value>?)? = nil,
        tied: TiedProperty? = nil
    ) {
        self.send = send
        self.take = take
        self.end = end
        self.add = add
        self.upstreams = upstreams
        self.isOver = isOver
        self.remoteness = remoteness
        self.answer = answer
        self.tied = tied
    }

    /// Whether a release has ended it: the property's owner is gone, and no program has ended the terminal.
    @inlinable
    var hasLostOwner: Bool { self.isOver.map { !$0() } ?? false }

    /// Carries each change that comes out of this port into `target`, and then the end.
    @inlinable
    func pass<OtherFailure>(
        into target: TerminalPort<Value, OtherFailure>,
        under binding: Subscription,
        replaying replay: Replay,
        former: FormerValue<Value>? = nil,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) {
        let subscription = Subscription(in: binding)
        guard subscription.isOpen else { return }
        guard let answer = target.answer else {
            return self.add(Sink(subscription, value: target.take, end: end), replay)
        }
        let refusing: @Sendable (Change<Value>) -> Void = { change in
            target.take(change)
            if let standing = answer(change) ?? former?.answer(change) { self.take(standing) }
        }
        self.add(Sink(subscription, value: refusing, end: end), replay)
    }
}

/// A property of this program, for the bindings that give it values of another owner.
@usableFromInline
package struct TiedProperty: Sendable {
    /// Notes a binding.
    @usableFromInline let tie: @Sendable (Subscription) -> Void
    /// Keeps a binding behind the end of its other side; returns whether it did.
    @usableFromInline let outlive: @Sendable (Subscription) -> Bool

    @inlinable
    init(tie: @escaping @Sendable (Subscription) -> Void, outlive: @escaping @Sendable (Subscription) -> Bool) {
        self.tie = tie
        self.outlive = outlive
    }
}

/// Facts for the bindings of a terminal whose other side is far away and belongs to others, too.
@usableFromInline
package struct Remoteness: Sendable {
    /// Calls back once the far side's state is known, at once if it is; never if it ends before.
    @usableFromInline package let whenReported: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Whether the far side has ended, keeps its last value, and refuses each other one.
    @usableFromInline package let isStanding: @Sendable () -> Bool
    /// Whether it has ended and never had a value.
    @usableFromInline package let isBlank: @Sendable () -> Bool
    /// Held as long as a listener is here.
    @usableFromInline package let holder: any AnyObject & Sendable

    /// Makes the facts of a far side.
    package init(
        whenReported: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        isStanding: @escaping @Sendable () -> Bool,
        isBlank: @escaping @Sendable () -> Bool = { false },
        holder: any AnyObject & Sendable
    ) {
        self.whenReported = whenReported
        self.isStanding = isStanding
        self.isBlank = isBlank
        self.holder = holder
    }
}

extension Ending {
    /// This end for a side with another failure type: a failure that does not fit completes it.
    @inlinable
    func carried<OtherFailure>() -> Ending<OtherFailure> {
        switch self {
        case .completed: .completed
        case .failed(let failure): (failure as? OtherFailure).map { .failed($0) } ?? .completed
        }
    }
}

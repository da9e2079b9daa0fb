/// A subject that keeps the last values for those who come later.
///
/// An observer first gets the stored values, before observing returns, then what is sent from then on, in one order and
/// nothing twice. The end does not count against the capacity: a subject of capacity 0 replays just that. After the end
/// nothing more is stored. No lock is held while handlers run.
///
/// When the last reference to a subject goes, nobody can send any more: its subscriptions are torn down silently, and
/// who observes its ``signal`` after that hears what is stored. Isolation: any thread. Semantics: docs/semantics.md,
/// replay-1 to replay-8. ReactiveObjC: RACReplaySubject. Unlimited capacity keeps everything for as long as the subject
/// or its signal is held.
public final class ReplaySubject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    /// How many values a replay subject keeps.
    public struct Capacity: Sendable, Hashable, ExpressibleByIntegerLiteral {
        @usableFromInline let maximum: Int?

        /// Every value, for as long as the subject lives.
        public static var unlimited: Capacity { Capacity(maximum: nil) }

        /// The last `count` values, 0 or more.
        ///
        /// - Parameter count: How many.
        /// - Returns: A capacity that keeps no more.
        public static func last(_ count: Int) -> Capacity {
            precondition(count >= 0, "A replay subject cannot keep a negative number of values.")
            return Capacity(maximum: count)
        }

        /// The last `value` values, 0 or more.
        ///
        /// - Parameter value: How many.
        public init(integerLiteral value: Int) {
            self = .last(value)
        }

        private init(maximum: Int?) {
            self.maximum = maximum
        }
    }

    @usableFromInline let core: ReplayCore<Value, Failure>

    /// Makes a subject with nothing stored.
    ///
    /// - Parameter capacity: How many values it keeps.
    @inlinable
    public init(capacity: Capacity = .unlimited) {
        self.core = ReplayCore(capacity: capacity.maximum ?? .max, upstreams: Subscription())
    }

    deinit {
        self.core.abandon()
    }

    /// The stored events and those from now on, without the send side.
    @inlinable
    public var signal: Signal<Value, Failure> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// Stores a value and sends it to everyone who observes; nothing happens after the end.
    ///
    /// - Parameter value: What to send.
    @inlinable
    public func send(_ value: Value) {
        self.core.take(.value(value))
    }

    /// Ends the subject for everyone who observes now or later, and lets go of its sources; only the first end counts.
    ///
    /// - Parameter ending: What they are told.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.core.take(Event(ending))
    }

    /// Passes everything that a signal says into this subject, which ends with the first of its sources to end.
    ///
    /// - Parameter source: Observed at once; let go when the subject ends or when nobody holds the subject any more. If
    ///   the subject has ended, the source is not observed.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, Failure>) -> Subscription {
        self.feed(from: source.signal, upstreams: self.core.upstreams)
    }
}

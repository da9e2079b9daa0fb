/// A subject that keeps the last values for later observers.
///
/// An observer first gets the stored values, before observing returns, then the live ones, in one order and none twice.
/// The end takes no capacity: a subject of capacity 0 replays the end alone. Nothing is stored after the end. No lock
/// is held while handlers run.
///
/// Releasing the last reference to a subject silently tears its subscriptions down. Later observers of its ``signal``
/// get the stored events. Isolation: any thread. Semantics: docs/semantics.md, replay-1 to replay-8. ReactiveObjC:
/// RACReplaySubject. Unlimited capacity keeps each value as long as the subject or its signal is held.
public final class ReplaySubject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    /// The number of values that a replay subject keeps.
    public struct Capacity: Sendable, Hashable, ExpressibleByIntegerLiteral {
        @usableFromInline let maximum: Int?

        /// Each value, as long as the subject lives.
        public static var unlimited: Capacity { Capacity(maximum: nil) }

        /// The last `count` values, 0 or more.
        ///
        /// - Parameter count: The number of values.
        /// - Returns: A capacity of this number.
        public static func last(_ count: Int) -> Capacity {
            precondition(count >= 0, "A replay subject cannot keep a negative number of values.")
            return Capacity(maximum: count)
        }

        /// The last `value` values, 0 or more.
        ///
        /// - Parameter value: The number of values.
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
    /// - Parameter capacity: The number of values that it keeps.
    @inlinable
    public init(capacity: Capacity = .unlimited) {
        self.core = ReplayCore(capacity: capacity.maximum ?? .max, upstreams: Subscription())
    }

    deinit {
        self.core.abandon()
    }

    /// The stored events and the live ones, without the send side.
    @inlinable
    public var signal: Signal<Value, Failure> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// Stores a value and sends it to the observers; does nothing after the end.
    ///
    /// - Parameter value: The value.
    @inlinable
    public func send(_ value: Value) {
        self.core.take(.value(value))
    }

    /// Ends the subject for present and later observers, and disposes its sources; only the first end counts.
    ///
    /// - Parameter ending: The end that they get.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.core.take(Event(ending))
    }

    /// Passes all events of a signal into this subject, which ends with the first of its sources to end.
    ///
    /// - Parameter source: Observed at once, unless the subject has ended. Its subscription is disposed when the
    ///   subject ends or is released.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, Failure>) -> Subscription {
        self.feed(from: source.signal, upstreams: self.core.upstreams)
    }
}

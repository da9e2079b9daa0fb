/// A subject that keeps the last values for those who come later.
///
/// An observer first gets the stored values, before observing returns, then what is sent from then on, in one order and
/// nothing twice. The end does not count against the capacity: a subject of capacity 0 replays just that. After the end
/// nothing more is stored. No lock is held while handlers run.
///
/// Isolation: any thread. Semantics: Y1 to Y9 with rules R1 to R3, RACReplaySubject. Unlimited capacity keeps everything
/// for as long as the subject lives (Y9).
///
/// Guards: everything in `state` by its lock, for a few lines at a time. Who set `isDelivering` delivers, outside.
public final class ReplaySubject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    /// How many values a replay subject keeps.
    public struct Capacity: Sendable, Hashable, ExpressibleByIntegerLiteral {
        let maximum: Int?

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

    private typealias Observers = ContiguousArray<Sink<Value, Failure>>

    private struct Delivery: Sendable {
        let event: Event<Value, Failure>
        let observers: Observers
        /// The value that made room: here, because what it holds on to must not go under the lock.
        var dropped: Value?
    }

    private struct State: Sendable {
        var observers: Observers = []
        var stored = Fifo<Value>()
        var ending: Ending<Failure>?
        /// What has been sent during the delivery in progress.
        var waiting = Fifo<Event<Value, Failure>>()
        var isDelivering = false
    }

    private let state = Guarded(State())
    private let capacity: Int
    private let upstreams = Subscription()

    /// Makes a subject with nothing stored.
    ///
    /// - Parameter capacity: How many values it keeps.
    public init(capacity: Capacity = .unlimited) {
        self.capacity = capacity.maximum ?? .max
    }

    deinit {
        self.upstreams.dispose()
    }

    /// The stored events and those from now on, without the send side.
    public var signal: Signal<Value, Failure> {
        Signal(serial: { self.add($0) })
    }

    /// Stores a value and sends it to everyone who observes; nothing happens after the end.
    ///
    /// - Parameter value: What to send.
    public func send(_ value: Value) {
        self.take(.value(value))
    }

    /// Ends the subject for everyone who observes now or later, and lets go of its sources; only the first end counts.
    ///
    /// - Parameter ending: What they are told.
    public func end(_ ending: Ending<Failure>) {
        self.take(Event(ending))
    }

    /// Passes everything that a signal says into this subject, which ends with the first of its sources to end.
    ///
    /// - Parameter source: Observed at once; let go when the subject ends or when nobody holds the subject any more. If
    ///   the subject has ended, the source is not observed.
    /// - Returns: The handle that stops this source alone.
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, Failure>) -> Subscription {
        self.feed(from: source.signal, upstreams: self.upstreams)
    }

    private func take(_ event: Event<Value, Failure>) {
        var next = self.state.withLock { state -> Delivery? in
            guard !state.isDelivering else {
                state.waiting.append(event)
                return nil
            }
            return self.begin(event, &state)
        }
        while let delivery = next {
            self.deliver(delivery)
            next = self.state.withLock { state in
                state.isDelivering = false
                while let event = state.waiting.popFirst() {
                    if let next = self.begin(event, &state) { return next }
                }
                return nil
            }
        }
    }

    /// Stores `event` before it is delivered, so that who comes during the delivery has it from the store, once (Y2).
    private func begin(_ event: Event<Value, Failure>, _ state: inout State) -> Delivery? {
        guard state.ending == nil else { return nil }
        state.isDelivering = true
        var delivery = Delivery(event: event, observers: state.observers)
        if let ending = event.ending {
            state.ending = ending
            state.observers = []
        } else if let value = event.value, self.capacity > 0 {
            if state.stored.count == self.capacity { delivery.dropped = state.stored.popFirst() }
            state.stored.append(value)
        }
        return delivery
    }

    private func deliver(_ delivery: Delivery) {
        for observer in delivery.observers {
            observer.forward(delivery.event)
        }
        if delivery.event.ending != nil { self.upstreams.dispose() }
    }

    private func add(_ observer: Sink<Value, Failure>) {
        // Live events that come during the replay wait at the gate, which is held until the replay is over (Y6).
        let live = observer.serialized(entered: true)
        let (stored, ending) = self.state.withLock { state in
            if state.ending == nil { state.observers.append(live) }
            return (state.stored.elements, state.ending)
        }
        for value in stored {
            observer.send(value)
        }
        if let ending {
            observer.end(ending)
        } else {
            let identity = ObjectIdentifier(live)
            observer.subscription.add(AnyDisposable { [weak self] in self?.remove(identity) })
        }
        live.gate?.leave { live.deliver($0) }
    }

    private func remove(_ observer: ObjectIdentifier) {
        let leaving = self.state.withLock { state in
            state.observers.firstIndex { ObjectIdentifier($0) == observer }.map { state.observers.remove(at: $0) }
        }
        // What the observer holds on to goes here, outside the lock.
        withExtendedLifetime(leaving) {}
    }
}

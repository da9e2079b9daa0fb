/// The shared part of a replay subject, its signal and its observers, as ``SubjectCore`` is for a subject.
///
/// Guards: a lock guards `state`, for a few lines at a time. The thread that set `isDelivering` delivers, outside the
/// lock.
@usableFromInline
final class ReplayCore<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Observers = ContiguousArray<Sink<Value, Failure>>

    @usableFromInline
    struct Delivery: Sendable {
        @usableFromInline let event: Event<Value, Failure>
        @usableFromInline let observers: Observers
        /// The value that made room.
        ///
        /// It leaves the lock in here, because releasing it may run foreign code.
        @usableFromInline var dropped: Value?

        @inlinable
        init(event: Event<Value, Failure>, observers: Observers) {
            self.event = event
            self.observers = observers
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var observers: Observers = []
        @usableFromInline var stored = Fifo<Value>()
        @usableFromInline var ending: Ending<Failure>?
        /// The events that were sent during the delivery in progress.
        @usableFromInline var waiting = Fifo<Event<Value, Failure>>()
        @usableFromInline var isDelivering = false
        /// Whether no sender is left.
        @usableFromInline var isAbandoned = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Guarded(State())
    @usableFromInline let capacity: Int
    /// The parent of the subscriptions to the subject's sources.
    @usableFromInline let upstreams: Subscription

    @inlinable
    init(capacity: Int, upstreams: Subscription) {
        self.capacity = capacity
        self.upstreams = upstreams
    }

    /// Delivers `event` and those sent meanwhile.
    ///
    /// During another delivery the event waits for that one.
    @inlinable
    func take(_ event: Event<Value, Failure>) {
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

    /// Stores `event` before its delivery, so that an observer that comes meanwhile gets it from the store, once
    /// (replay-2).
    @inlinable
    func begin(_ event: Event<Value, Failure>, _ state: inout State) -> Delivery? {
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

    @inlinable
    func deliver(_ delivery: Delivery) {
        for observer in delivery.observers {
            observer.forward(delivery.event)
        }
        if delivery.event.ending != nil { self.upstreams.dispose() }
    }

    @inlinable
    func add(_ observer: Sink<Value, Failure>) {
        // The gate is held until the replay is over, so live events wait (replay-6).
        let live = observer.serialized(entered: true)
        let (stored, ending) = self.state.withLock { state in
            if state.ending == nil, !state.isAbandoned { state.observers.append(live) }
            return (state.stored.elements, state.ending)
        }
        for value in stored {
            observer.send(value)
        }
        if let ending {
            observer.end(ending)
        } else {
            let identity = ObjectIdentifier(live)
            observer.subscription.add(AnyDisposable { self.remove(identity) })
        }
        live.gate?.leave { live.deliver($0) }
    }

    @inlinable
    func remove(_ observer: ObjectIdentifier) {
        let leaving = self.state.withLock { state in
            state.observers.firstIndex { ObjectIdentifier($0) == observer }.map { state.observers.remove(at: $0) }
        }
        // The observer's references are released here, outside the lock.
        withExtendedLifetime(leaving) {}
    }

    @inlinable
    func abandon() {
        self.upstreams.dispose()
        let leaving = self.state.withLock { state -> Observers in
            state.isAbandoned = true
            defer { state.observers = [] }
            return state.observers
        }
        withExtendedLifetime(leaving) {}
    }
}

/// What a replay subject, its signal and its observers share, as ``SubjectCore`` is for a subject.
///
/// Guards: everything in `state` by its lock, for a few lines at a time. Who set `isDelivering` delivers, outside.
@usableFromInline
final class ReplayCore<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Observers = ContiguousArray<Sink<Value, Failure>>

    @usableFromInline
    struct Delivery: Sendable {
        @usableFromInline let event: Event<Value, Failure>
        @usableFromInline let observers: Observers
        /// The value that made room: here, because what it holds on to must not go under the lock.
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
        /// What has been sent during the delivery in progress.
        @usableFromInline var waiting = Fifo<Event<Value, Failure>>()
        @usableFromInline var isDelivering = false
        /// Whether nobody can send any more.
        @usableFromInline var isAbandoned = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Guarded(State())
    @usableFromInline let capacity: Int
    /// The subscription that those to the subject's sources belong to.
    @usableFromInline let upstreams: Subscription

    @inlinable
    init(capacity: Int, upstreams: Subscription) {
        self.capacity = capacity
        self.upstreams = upstreams
    }

    /// Delivers `event`, and what is sent meanwhile, unless somebody is delivering: then it waits for them.
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

    /// Stores `event` before it is delivered, so that who comes during the delivery has it from the store, once
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
        // Live events that come during the replay wait at the gate, which is held until the replay is over (replay-6).
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
        // What the observer holds on to goes here, outside the lock.
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

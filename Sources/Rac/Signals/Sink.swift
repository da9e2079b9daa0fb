/// What the body of a signal sends its events into, for one subscription.
///
/// After the first terminal event, and after the subscription has been disposed, a sink drops whatever it is sent. When
/// nobody holds the sink any more, nothing can come, and the subscription is torn down silently.
///
/// Isolation: any thread. Events sent into the sink of a created signal from several threads at once, or from inside a
/// delivery, queue up: the observer never sees two at once. Semantics: docs/semantics.md, signal-2, signal-4, signal-8.
/// ReactiveObjC: RACSubscriber.
public final class Sink<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let subscription: Subscription
    @usableFromInline let receive: @Sendable (Value) -> Void
    @usableFromInline let finish: @Sendable (Ending<Failure>) -> Void
    /// Puts events in order, or nil where they come one after another anyway.
    @usableFromInline let gate: SerialGate<Event<Value, Failure>>?

    @inlinable
    init(
        _ subscription: Subscription,
        gate: SerialGate<Event<Value, Failure>>? = nil,
        value receive: @escaping @Sendable (Value) -> Void,
        end finish: @escaping @Sendable (Ending<Failure>) -> Void
    ) {
        self.subscription = subscription
        self.receive = receive
        self.finish = finish
        self.gate = gate
    }

    deinit {
        self.subscription.dispose()
    }

    /// Whether the subscription is over; a body that sends many values in a row looks here and stops.
    @inlinable
    public var isClosed: Bool { !self.subscription.isOpen }

    /// Sends a value.
    ///
    /// - Parameter value: Delivered before the call returns, unless a delivery is in progress: then after that one.
    @inlinable
    public func send(_ value: Value) {
        guard self.subscription.isOpen else { return }
        guard let gate = self.gate else { return self.receive(value) }
        guard gate.enter() || gate.enterOrWait(.value(value)) else { return }
        // The end may have been delivered between the look above and the way in.
        if self.subscription.isOpen { self.receive(value) }
        gate.leave { self.deliver($0) }
    }

    /// Ends the signal with a failure.
    ///
    /// - Parameter failure: What the observer is told, unless the signal has ended before.
    @inlinable
    public func fail(_ failure: Failure) {
        self.end(.failed(failure))
    }

    /// Ends the signal as planned, unless it has ended before.
    @inlinable
    public func complete() {
        self.end(.completed)
    }

    /// Ends the signal, unless it has ended before.
    ///
    /// - Parameter ending: What the observer is told.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        guard let gate = self.gate else { return self.deliverEnd(ending) }
        if gate.enter() || gate.enterOrWait(Event(ending)) {
            self.deliverEnd(ending)
            gate.leave { self.deliver($0) }
        }
    }

    /// Sends an event that is at hand as a value.
    ///
    /// - Parameter event: A value or an end, treated as ``send(_:)`` and ``end(_:)`` do.
    @inlinable
    public func forward(_ event: Event<Value, Failure>) {
        switch event {
        case .value(let value): self.send(value)
        case .failed(let failure): self.end(.failed(failure))
        case .completed: self.end(.completed)
        }
    }

    @inlinable
    func deliver(_ event: Event<Value, Failure>) {
        switch event {
        case .value(let value): if self.subscription.isOpen { self.receive(value) }
        case .failed(let failure): self.deliverEnd(.failed(failure))
        case .completed: self.deliverEnd(.completed)
        }
    }

    @inlinable
    func deliverEnd(_ ending: Ending<Failure>) {
        guard self.subscription.claimEnd() else { return }
        self.finish(ending)
        self.subscription.tearDown()
    }
}

extension Sink {
    /// A sink of the same subscription that puts events from several threads, or from inside a delivery, in order.
    ///
    /// Whoever has several sources sends through one of these and gives each source a subscription of its own, by
    /// ``Signal/start(in:value:end:)``.
    @inlinable
    func serialized(entered: Bool = false) -> Sink<Value, Failure> {
        Sink(self.subscription, gate: SerialGate(entered: entered), value: { self.send($0) }, end: self.finish)
    }
}

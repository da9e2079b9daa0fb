/// The entrance of one subscription, into which a signal's body sends its events.
///
/// A sink drops each event behind the first end, and each event after the subscription's disposal. Releasing the last
/// reference to the sink tears the subscription down silently, because no event can come any more.
///
/// Isolation: any thread. In a created signal, events from several threads, or from inside a delivery, queue: the
/// observer gets one at a time. Semantics: docs/semantics.md, signal-2, signal-4, signal-8. ReactiveObjC:
/// RACSubscriber.
public final class Sink<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let subscription: Subscription
    @usableFromInline let receive: @Sendable (Value) -> Void
    @usableFromInline let finish: @Sendable (Ending<Failure>) -> Void
    /// Orders the events; nil if they come one after another already.
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

    /// Whether the subscription is over.
    ///
    /// A body that sends many values in a row checks this and stops.
    @inlinable
    public var isClosed: Bool { !self.subscription.isOpen }

    /// Sends a value.
    ///
    /// - Parameter value: Delivered before the call returns. During another delivery it follows that one.
    @inlinable
    public func send(_ value: Value) {
        guard self.subscription.isOpen else { return }
        guard let gate = self.gate else { return self.receive(value) }
        guard gate.enter() || gate.enterOrWait(.value(value)) else { return }
        // Between the check above and the gate's entrance, another thread may have delivered the end.
        if self.subscription.isOpen { self.receive(value) }
        gate.leave { self.deliver($0) }
    }

    /// Ends the signal with a failure.
    ///
    /// - Parameter failure: The failure that the observer gets, unless the signal has ended.
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
    /// - Parameter ending: The end that the observer gets.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        guard let gate = self.gate else { return self.deliverEnd(ending) }
        if gate.enter() || gate.enterOrWait(Event(ending)) {
            self.deliverEnd(ending)
            gate.leave { self.deliver($0) }
        }
    }

    /// Sends an event that exists as a value.
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
    /// A sink of the same subscription that orders events from several threads, or from inside a delivery.
    ///
    /// An operator with several sources sends through one such sink. It gives each source its own subscription, by
    /// ``Signal/start(in:value:end:)``.
    @inlinable
    func serialized(entered: Bool = false) -> Sink<Value, Failure> {
        Sink(self.subscription, gate: SerialGate(entered: entered), value: { self.send($0) }, end: self.finish)
    }
}

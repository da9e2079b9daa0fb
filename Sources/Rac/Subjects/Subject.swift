/// A signal driven by hand: each observer of the moment gets each sent event.
///
/// Observers get events in order of subscription, and all in one order. An event that is sent during a delivery, from
/// inside a handler or by another thread, queues. Such a call returns before its event is delivered. An observer of an
/// ended subject gets the end at once. No lock is held while handlers run, and a send that need not queue allocates
/// nothing.
///
/// Releasing the last reference to a subject silently tears its subscriptions down, even if its ``signal`` is still
/// held. Isolation: any thread. Semantics: docs/semantics.md, subject-1 to subject-7. ReactiveObjC: RACSubject.
public final class Subject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    @usableFromInline let core = SubjectCore<Value, Failure>()

    /// Makes a subject without observers.
    @inlinable
    public init() {}

    deinit {
        self.core.abandon()
    }

    /// The subject's later events, without its send side.
    @inlinable
    public var signal: Signal<Value, Failure> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// Sends a value to the observers; does nothing after the end.
    ///
    /// - Parameter value: The value.
    @inlinable
    public func send(_ value: Value) {
        self.core.send(value)
    }

    /// Ends the subject for present and later observers, and disposes its sources; only the first end counts.
    ///
    /// - Parameter ending: The end that they get.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.core.take(inTurn: .event(Event(ending)))
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

/// A signal driven by hand: what is sent into it reaches everyone who observes it at that time.
///
/// Every observer gets every event, in order of subscription and in one order for all. An event that is sent while
/// another is being delivered, from inside a handler or by another thread, waits its turn: such a call returns before
/// its event has been delivered. Who observes an ended subject is told the end at once. No lock is held while handlers
/// run, and a send allocates nothing unless it has to wait.
///
/// When the last reference to a subject goes, nobody can send any more: its subscriptions are torn down silently, even
/// if its ``signal`` is still held. Isolation: any thread. Semantics: docs/semantics.md, subject-1 to subject-7.
/// ReactiveObjC: RACSubject.
public final class Subject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    @usableFromInline let core = SubjectCore<Value, Failure>()

    /// Makes a subject that nobody observes.
    @inlinable
    public init() {}

    deinit {
        self.core.abandon()
    }

    /// The subject's events from now on, without its send side.
    @inlinable
    public var signal: Signal<Value, Failure> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// Sends a value to everyone who observes; nothing happens after the end.
    ///
    /// - Parameter value: What to send.
    @inlinable
    public func send(_ value: Value) {
        self.core.send(value)
    }

    /// Ends the subject for everyone who observes now or later, and lets go of its sources; only the first end counts.
    ///
    /// - Parameter ending: What they are told.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.core.take(inTurn: .event(Event(ending)))
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

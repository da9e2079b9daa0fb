/// A signal driven by hand: what is sent into it reaches everyone who observes it at that time.
///
/// Every observer gets every event, in order of subscription and in one order for all. An event that is sent while
/// another is being delivered, from inside a handler or by another thread, waits its turn: such a call returns before
/// its event has been delivered. Who observes an ended subject is told the end at once. No lock is held while handlers
/// run, and a send allocates nothing unless it has to wait.
///
/// Isolation: any thread. Semantics: B1 to B10 with rules R1 and R2, RACSubject.
///
/// Guards: `observers` and `ending` are touched only inside `gate`, hence `nonisolated(unsafe)`; the rest is constant.
public final class Subject<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    @usableFromInline
    enum Step: Sendable {
        case event(Event<Value, Failure>)
        case add(Sink<Value, Failure>)
        case remove(ObjectIdentifier)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var observers: ContiguousArray<Sink<Value, Failure>> = []
    @usableFromInline nonisolated(unsafe) var ending: Ending<Failure>?
    private let upstreams = Subscription()

    /// Makes a subject that nobody observes.
    public init() {}

    deinit {
        self.upstreams.dispose()
    }

    /// The subject's events from now on, without its send side.
    public var signal: Signal<Value, Failure> {
        Signal(serial: { self.add($0) })
    }

    /// Sends a value to everyone who observes; nothing happens after the end.
    ///
    /// - Parameter value: What to send.
    @inlinable
    public func send(_ value: Value) {
        guard self.gate.enter() || self.gate.enterOrWait(.event(.value(value))) else { return }
        self.deliver(value)
        self.gate.leave { self.take($0) }
    }

    /// Ends the subject for everyone who observes now or later, and lets go of its sources; only the first end counts.
    ///
    /// - Parameter ending: What they are told.
    public func end(_ ending: Ending<Failure>) {
        self.take(inTurn: .event(Event(ending)))
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

    @inlinable
    func deliver(_ value: Value) {
        for observer in self.observers {
            observer.send(value)
        }
    }

    @usableFromInline
    func take(_ step: Step) {
        switch step {
        case .event(.value(let value)): self.deliver(value)
        case .event(.failed(let failure)): self.deliverEnd(.failed(failure))
        case .event(.completed): self.deliverEnd(.completed)
        case .add(let observer): self.attach(observer)
        case .remove(let observer): self.observers.removeAll { ObjectIdentifier($0) == observer }
        }
    }

    private func take(inTurn step: Step) {
        guard self.gate.enter() || self.gate.enterOrWait(step) else { return }
        self.take(step)
        self.gate.leave { self.take($0) }
    }

    private func deliverEnd(_ ending: Ending<Failure>) {
        guard self.ending == nil else { return }
        self.ending = ending
        let leaving = self.observers
        self.observers = []
        for observer in leaving {
            observer.end(ending)
        }
        self.upstreams.dispose()
    }

    private func add(_ observer: Sink<Value, Failure>) {
        // Neither the teardown nor the subject may keep the other alive, so it is weak and knows the sink by identity;
        // the subject keeps the sink until then, so that its identity is not given to another.
        let identity = ObjectIdentifier(observer)
        observer.subscription.add(AnyDisposable { [weak self] in self?.take(inTurn: .remove(identity)) })
        self.take(inTurn: .add(observer))
    }

    private func attach(_ observer: Sink<Value, Failure>) {
        if let ending = self.ending {
            observer.end(ending)
        } else if !observer.isClosed {
            self.observers.append(observer)
        }
    }
}

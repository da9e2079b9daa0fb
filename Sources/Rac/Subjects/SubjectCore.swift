/// The shared part of a subject, its signal and its observers.
///
/// An observer's subscription refers to the core to leave it, and the core refers to the observers. The subject cuts
/// that ring when it goes: only its users refer to the subject.
///
/// Guards: `observers`, `ending` and `isAbandoned` are touched only inside `gate`, hence `nonisolated(unsafe)`.
@usableFromInline
final class SubjectCore<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    enum Step: Sendable {
        case event(Event<Value, Failure>)
        case add(Sink<Value, Failure>)
        case remove(ObjectIdentifier)
        /// No sender is left.
        case abandon
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var observers: ContiguousArray<Sink<Value, Failure>> = []
    @usableFromInline nonisolated(unsafe) var ending: Ending<Failure>?
    @usableFromInline nonisolated(unsafe) var isAbandoned = false
    /// The parent of the subscriptions to the subject's sources.
    @usableFromInline let upstreams = Subscription()

    @inlinable
    init() {}

    @inlinable
    func send(_ value: Value) {
        guard self.gate.enter() || self.gate.enterOrWait(.event(.value(value))) else { return }
        self.deliver(value)
        self.gate.leave { self.take($0) }
    }

    @inlinable
    func take(inTurn step: Step) {
        guard self.gate.enter() || self.gate.enterOrWait(step) else { return }
        self.take(step)
        self.gate.leave { self.take($0) }
    }

    @inlinable
    func abandon() {
        self.upstreams.dispose()
        self.take(inTurn: .abandon)
    }

    @inlinable
    func add(_ observer: Sink<Value, Failure>) {
        // The sink is known by identity. A reference here would keep its subscription alive after the program has
        // released it. The core holds the sink until its removal, so no other sink gets that identity before.
        let identity = ObjectIdentifier(observer)
        observer.subscription.add(AnyDisposable { self.take(inTurn: .remove(identity)) })
        self.take(inTurn: .add(observer))
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .event(.value(let value)): self.deliver(value)
        case .event(.failed(let failure)): self.deliver(.failed(failure))
        case .event(.completed): self.deliver(.completed)
        case .add(let observer): self.attach(observer)
        case .remove(let observer): self.detach(observer)
        case .abandon:
            self.isAbandoned = true
            _ = self.takeObservers()
        }
    }

    @inlinable
    func deliver(_ value: Value) {
        for observer in self.observers {
            observer.send(value)
        }
    }

    @inlinable
    func deliver(_ ending: Ending<Failure>) {
        guard self.ending == nil else { return }
        self.ending = ending
        for observer in self.takeObservers() {
            observer.end(ending)
        }
        self.upstreams.dispose()
    }

    @inlinable
    func attach(_ observer: Sink<Value, Failure>) {
        if let ending = self.ending {
            observer.end(ending)
        } else if !observer.isClosed, !self.isAbandoned {
            self.observers.append(observer)
        }
    }

    @inlinable
    func detach(_ identity: ObjectIdentifier) {
        guard let index = self.observers.firstIndex(where: { ObjectIdentifier($0) == identity }) else { return }
        self.observers.remove(at: index)
    }

    @inlinable
    func takeObservers() -> ContiguousArray<Sink<Value, Failure>> {
        defer { self.observers = [] }
        return self.observers
    }
}

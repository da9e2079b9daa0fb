/// What is told to many observers in one order: the state of a property, or one direction of a plain channel.
///
/// A change is kept before it is told, so that who reads inside an observer sees it. What comes while another thread or an
/// outer call is telling waits its turn, and is told to those who were there when it came: a newcomer has it from what is
/// kept, once. The observers refer to the core, and the core to them; whoever owns it ends or abandons it.
///
/// Guards: everything in `state` by its lock, for a few lines at a time. Who set `isTelling` tells, outside.
@usableFromInline
final class ChangeCore<Value: Sendable, Failure: Error>: Sendable {
    /// What is kept for those who come later.
    @usableFromInline
    enum Keeping: Sendable {
        /// Nothing: the direction from a following terminal to a leading one.
        case nothing
        /// The last change: the direction from a leading terminal to a following one.
        case last
        /// The newest change, which is the value of a property.
        case newest
    }

    @usableFromInline
    struct Observer: Sendable {
        @usableFromInline let sink: Sink<Change<Value>, Failure>
        /// The terminal that it listens to, or 0 if it listens to the property itself.
        @usableFromInline let terminal: UInt64

        @inlinable
        init(sink: Sink<Change<Value>, Failure>, terminal: UInt64) {
            self.sink = sink
            self.terminal = terminal
        }
    }

    @usableFromInline
    struct Telling: Sendable {
        @usableFromInline let event: Event<Change<Value>, Failure>
        @usableFromInline let observers: ContiguousArray<Observer>
        /// Disposed after an end has been told.
        @usableFromInline let closing: Subscription?

        @inlinable
        init(event: Event<Change<Value>, Failure>, observers: ContiguousArray<Observer>, closing: Subscription?) {
            self.event = event
            self.observers = observers
            self.closing = closing
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var kept: Change<Value>?
        @usableFromInline var ending: Ending<Failure>?
        @usableFromInline var observers: ContiguousArray<Observer> = []
        @usableFromInline var waiting = Fifo<Telling>()
        @usableFromInline var isTelling = false
        /// Whether nobody can send any more.
        @usableFromInline var isAbandoned = false

        @inlinable
        init(kept: Change<Value>?) {
            self.kept = kept
        }

        /// Answers what the caller has to tell now; nil if nobody listens, or if whoever is telling will do it.
        @inlinable
        mutating func tell(_ change: Change<Value>) -> Telling? {
            guard !self.observers.isEmpty else { return nil }
            return self.tell(Telling(event: .value(change), observers: self.observers, closing: nil))
        }

        @inlinable
        mutating func tell(_ telling: Telling) -> Telling? {
            guard !self.isTelling else {
                self.waiting.append(telling)
                return nil
            }
            self.isTelling = true
            return telling
        }

        /// What to tell next; nil if nothing waits, and then nobody is telling any more.
        @inlinable
        mutating func next() -> Telling? {
            let next = self.waiting.popFirst()
            self.isTelling = next != nil
            return next
        }
    }

    @usableFromInline let state: Guarded<State>
    @usableFromInline let keeping: Keeping
    /// What tells it from other cores.
    @usableFromInline let number: UInt64
    /// The subscription that those to the sources belong to; disposed after the end has been told.
    @usableFromInline let upstreams = Subscription()

    @inlinable
    init(keeping: Keeping) {
        self.keeping = keeping
        self.number = SerialNumber.next()
        self.state = Guarded(State(kept: nil))
    }

    /// Makes the core of a property.
    @inlinable
    init(_ value: Value) {
        self.keeping = .newest
        self.number = SerialNumber.next()
        self.state = Guarded(State(kept: Change(value, in: self.number)))
    }

    /// What is kept.
    @inlinable
    var kept: Change<Value>? { self.state.withLock { $0.kept } }

    /// How many observers there are.
    var observerCount: Int { self.state.withLock { $0.observers.count } }

    /// Tells a new value, which came through `origin`.
    @inlinable
    func send(_ value: Value, origin: UInt64 = 0) {
        let (telling, replaced) = self.state.withLock { state -> (Telling?, Change<Value>?) in
            guard state.ending == nil else { return (nil, nil) }
            // The number is given out under the lock, or an older change could come after a newer one.
            return self.accept(Change(value, in: self.number, origin: origin), &state)
        }
        self.tell(telling, lettingGo: replaced)
    }

    /// Keeps a change that has been found worth telling; answers also what it replaces, to be let go outside the lock.
    @inlinable
    func accept(_ change: Change<Value>, _ state: inout State) -> (Telling?, Change<Value>?) {
        guard self.keeping != .nothing else { return (state.tell(change), nil) }
        let replaced = state.kept
        state.kept = change
        return (state.tell(change), replaced)
    }

    /// Tells what is to be told now and what waits behind it, with no lock held.
    @inlinable
    func tell(_ telling: Telling?, lettingGo replaced: Change<Value>? = nil) {
        withExtendedLifetime(replaced) {}
        var next = telling
        while let telling = next {
            self.tellObservers(telling)
            next = self.state.withLock { $0.next() }
        }
    }

    @inlinable
    func tellObservers(_ telling: Telling) {
        switch telling.event {
        case .value(let change):
            for observer in telling.observers where observer.terminal == 0 || observer.terminal != change.origin {
                observer.sink.send(change)
            }
        case .failed(let failure):
            for observer in telling.observers { observer.sink.end(.failed(failure)) }
        case .completed:
            for observer in telling.observers { observer.sink.end(.completed) }
        }
        telling.closing?.dispose()
    }
}

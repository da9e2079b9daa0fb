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
        /// How many changes had been kept of which it was told nothing.
        @usableFromInline let heardBefore: UInt64

        @inlinable
        init(sink: Sink<Change<Value>, Failure>, terminal: UInt64, heardBefore: UInt64) {
            self.sink = sink
            self.terminal = terminal
            self.heardBefore = heardBefore
        }
    }

    @usableFromInline typealias Observers = ContiguousArray<Observer>

    /// What waits to be told, and to whom.
    @usableFromInline
    enum Telling: Sendable {
        case change(Change<Value>, Observers)
        /// An end, after which the sources are closed.
        case end(Ending<Failure>, Observers, closing: Subscription)
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var kept: Change<Value>?
        /// How many changes have been kept so far, renewals not counted.
        @usableFromInline var keptCount: UInt64 = 1
        @usableFromInline var ending: Ending<Failure>?
        @usableFromInline var observers: Observers = []
        @usableFromInline var waiting = Fifo<Telling>()
        @usableFromInline var isTelling = false
        /// Whether nobody can send any more.
        @usableFromInline var isAbandoned = false

        @inlinable
        init(kept: Change<Value>?) {
            self.kept = kept
        }

        /// Answers to whom the caller has to tell a change now; nobody if whoever is telling will do it.
        @inlinable
        mutating func tell(_ change: Change<Value>) -> Observers {
            guard !self.observers.isEmpty else { return [] }
            guard self.isTelling else {
                self.isTelling = true
                return self.observers
            }
            self.waiting.append(.change(change, self.observers))
            return []
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
        self.tell { state in
            guard state.ending == nil else { return nil }
            // The number is given out under the lock, or an older change could come after a newer one.
            return Change(value, in: self.number, origin: origin)
        }
    }

    /// Keeps and tells the change that `make` finds worth it, under the lock and calling nothing foreign.
    @inlinable
    @inline(__always)
    func tell(_ make: (inout State) -> Change<Value>?) {
        var change: Change<Value>?
        var replaced: Change<Value>?
        let observers = self.state.withLock { state -> Observers in
            change = make(&state)
            guard let change else { return [] }
            if self.keeps(change) {
                replaced = state.kept
                state.kept = change
                if !change.isRenewal { state.keptCount += 1 }
            }
            return state.tell(change)
        }
        // What has been replaced goes here, outside the lock.
        withExtendedLifetime(replaced) {}
        if let change, !observers.isEmpty { self.tell(change, to: observers) }
    }

    /// A direction of a channel keeps what has come through it, and a renewal has come before.
    @inlinable
    func keeps(_ change: Change<Value>) -> Bool {
        switch self.keeping {
        case .nothing: false
        case .last: !change.isRenewal
        case .newest: true
        }
    }

    /// Tells a change and what waits behind it, with no lock held.
    @inlinable
    func tell(_ change: Change<Value>, to observers: Observers) {
        self.tellObservers(change, observers)
        self.tellWaiting()
    }

    @inlinable
    func tellObservers(_ change: Change<Value>, _ observers: Observers) {
        for observer in observers where observer.terminal == 0 || observer.terminal != change.origin {
            observer.sink.send(change)
        }
    }

    /// Tells what waits, by the one who tells.
    @inlinable
    func tellWaiting() {
        while let telling = self.state.withLock({ $0.next() }) {
            switch telling {
            case .change(let change, let observers):
                self.tellObservers(change, observers)
            case .end(let ending, let observers, let upstreams):
                for observer in observers { observer.sink.end(ending) }
                upstreams.dispose()
            }
        }
    }
}

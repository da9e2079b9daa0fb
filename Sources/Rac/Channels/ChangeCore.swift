/// Notifies many observers in one order: of a property's state, or of one direction of a plain channel.
///
/// A change is stored before the notification, so an observer that reads sees it. A change that comes during another
/// notification queues, for the observers of that moment: a later observer gets it from the store, once. The observers
/// refer to the core and the core to them; its owner ends or abandons it.
///
/// Guards: a lock guards `state`, for a few lines at a time. The thread that set `isTelling` notifies, outside the
/// lock.
@usableFromInline
final class ChangeCore<Value: Sendable, Failure: Error>: Sendable {
    /// The part that is stored for later listeners.
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
        /// The number of stored changes before its coming, of which it got no notification.
        @usableFromInline let heardBefore: UInt64

        @inlinable
        init(sink: Sink<Change<Value>, Failure>, terminal: UInt64, heardBefore: UInt64) {
            self.sink = sink
            self.terminal = terminal
            self.heardBefore = heardBefore
        }
    }

    @usableFromInline typealias Observers = ContiguousArray<Observer>

    /// A queued notification, with its receivers.
    @usableFromInline
    enum Telling: Sendable {
        case change(Change<Value>, Observers)
        /// An end, after which the sources are closed.
        case end(Ending<Failure>, Observers, closing: Subscription)
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var kept: Change<Value>?
        /// The number of stored changes so far, without renewals.
        @usableFromInline var keptCount: UInt64 = 1
        @usableFromInline var ending: Ending<Failure>?
        @usableFromInline var observers: Observers = []
        @usableFromInline var waiting = Fifo<Telling>()
        @usableFromInline var isTelling = false
        /// Whether no sender is left.
        @usableFromInline var isAbandoned = false
        /// The bindings that give this property values of another owner.
        @usableFromInline var ties: [Subscription] = []
        /// The binding whose other side has ended and keeps its last value, and this property with it.
        @usableFromInline var outlived: Subscription?

        @inlinable
        init(kept: Change<Value>?) {
            self.kept = kept
        }

        /// Returns the receivers that the caller has to notify now; none if the notifying thread will do it.
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

        /// The next notification; nil if none is queued, and then no thread notifies any more.
        @inlinable
        mutating func next() -> Telling? {
            let next = self.waiting.popFirst()
            self.isTelling = next != nil
            return next
        }
    }

    @usableFromInline let state: Guarded<State>
    @usableFromInline let keeping: Keeping
    /// The number that distinguishes it from other cores.
    @usableFromInline let number: UInt64
    /// The parent of the subscriptions to the sources; disposed behind the end.
    @usableFromInline let upstreams = Subscription()
    /// The readers that Swift's observation tracks.
    @usableFromInline let readers = ObservableValue()

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

    /// The stored value.
    @inlinable
    var kept: Change<Value>? { self.state.withLock { $0.kept } }

    /// The end, if it has come.
    @inlinable
    var ending: Ending<Failure>? { self.state.withLock { $0.ending } }

    /// The number of observers.
    var observerCount: Int { self.state.withLock { $0.observers.count } }

    /// Announces a new value, which came through `origin`.
    @inlinable
    func send(_ value: Value, origin: UInt64 = 0) {
        self.tell { state in
            guard state.ending == nil else { return nil }
            // The number is given out under the lock, or an older change could come behind a newer one.
            return Change(value, in: self.number, origin: origin)
        }
    }

    /// Stores and announces the change that `make` returns, if any; `make` runs under the lock and calls no foreign
    /// code.
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
        // The replaced value is released here, outside the lock.
        withExtendedLifetime(replaced) {}
        if let change, !change.isRenewal { self.readers.hasChanged() }
        if let change, !observers.isEmpty { self.tell(change, to: observers) }
    }

    /// A direction of a channel stores the change that came through it; a renewal has come before.
    @inlinable
    func keeps(_ change: Change<Value>) -> Bool {
        switch self.keeping {
        case .nothing: false
        case .last: !change.isRenewal
        case .newest: true
        }
    }

    /// Announces a change and those queued behind it, with no lock held.
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

    /// Announces queued changes, on the notifying thread.
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

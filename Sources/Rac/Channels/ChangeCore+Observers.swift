extension ChangeCore {
    /// The past as a new listener finds it.
    @usableFromInline
    struct Reception: Sendable {
        @usableFromInline var replayed: Change<Value>?
        @usableFromInline var ending: Ending<Failure>?
        /// The new rank of the stored change.
        @usableFromInline var renewal: Change<Value>?
        /// The earlier bindings that get the new rank; none if the notifying thread will do it.
        @usableFromInline var bindings: Observers = []
        /// The entrance for later events.
        @usableFromInline var live: Sink<Change<Value>, Failure>
        /// Whether the caller notifies until the replay is over, so later events wait for it.
        @usableFromInline var isTelling = false

        @inlinable
        init(ending: Ending<Failure>?, live: Sink<Change<Value>, Failure>) {
            self.ending = ending
            self.live = live
        }
    }

    /// Adds an observer.
    ///
    /// It gets its part of the past before this returns, and then later events.
    ///
    /// - Returns: A renewal in a channel's direction, for the listeners at its other end.
    @inlinable
    @discardableResult
    func add(
        _ observer: Sink<Change<Value>, Failure>,
        terminal: UInt64 = 0,
        replaying replay: Replay
    ) -> Change<Value>? {
        let reception = self.state.withLock { state in
            self.receive(observer, terminal: terminal, replaying: replay, &state)
        }
        if let renewal = reception.renewal { self.tellObservers(renewal, reception.bindings) }
        if let replayed = reception.replayed { observer.send(replayed) }
        let identity = ObjectIdentifier(reception.live)
        if let ending = reception.ending {
            observer.end(ending)
        } else {
            observer.subscription.add(AnyDisposable { self.remove(identity) })
        }
        reception.live.gate?.leave { reception.live.deliver($0) }
        if reception.isTelling { self.tellWaiting() }
        return self.keeping == .last ? reception.renewal : nil
    }

    @inlinable
    func receive(
        _ observer: Sink<Change<Value>, Failure>,
        terminal: UInt64,
        replaying replay: Replay,
        _ state: inout State
    ) -> Reception {
        var reception = Reception(ending: state.ending, live: observer)
        if replay != .nothing, state.ending == nil, state.kept != nil {
            // A thread that notifies would overtake the replay: a gate, held until then, makes its events wait.
            reception.isTelling = !state.isTelling
            if state.isTelling { reception.live = observer.serialized(entered: true) }
        }
        if replay == .renewed, state.ending == nil { self.renew(&state, for: &reception) }
        if reception.isTelling { state.isTelling = true }
        if replay != .nothing, var kept = state.kept {
            // The present value is for each observer, also behind the terminal that it came through (terminal-4).
            kept.origin = 0
            kept.isRenewal = false
            // The value that a binding makes win at its start is a change of its own on the other side.
            if replay == .renewed { kept.tag = 0 }
            // Nobody else listens to a property that has ended, so no rank is announced.
            if replay == .renewed, self.keeping == .newest, state.ending != nil { kept.rank = SerialNumber.next() }
            reception.replayed = kept
        }
        if state.ending == nil, !state.isAbandoned {
            let heardBefore = replay == .nothing ? state.keptCount : 0
            state.observers.append(Observer(sink: reception.live, terminal: terminal, heardBefore: heardBefore))
        }
        return reception
    }

    /// Makes the stored change the newest of all.
    ///
    /// Its bindings get the new rank, so that they take no older change for newer. A property notifies its own
    /// bindings. A channel notifies those at the other end of the direction, where the stored change came from.
    /// Listeners of the direction itself get nothing: they may have come after that change had passed.
    @inlinable
    func renew(_ state: inout State, for reception: inout Reception) {
        guard let kept = state.kept?.renewed(to: SerialNumber.next(), in: self.number) else { return }
        let renewal = kept.renewal(from: self.number)
        state.kept = kept
        reception.renewal = renewal
        if self.keeping == .newest { reception.bindings = state.tell(renewal) }
    }

    @inlinable
    func remove(_ observer: ObjectIdentifier) {
        let leaving = self.state.withLock { state in
            state.observers.firstIndex { ObjectIdentifier($0.sink) == observer }.map { state.observers.remove(at: $0) }
        }
        // The observer's references are released here, outside the lock.
        withExtendedLifetime(leaving) {}
    }

    /// Ends it for each listener; only the first end counts, and no event is taken after it (channel-6).
    @inlinable
    func end(_ ending: Ending<Failure>) {
        self.tellEnd { state in
            guard state.ending == nil else { return nil }
            state.ending = ending
            defer { state.observers = [] }
            return .end(ending, state.observers, closing: self.upstreams)
        }
    }

    /// Ends it behind a last change; no other change comes between the two.
    ///
    /// - Parameters:
    ///   - ending: The end; only the first one counts.
    ///   - settle: Returns the last change, if any; may remove the stored one. It runs under the lock.
    @inlinable
    func end(_ ending: Ending<Failure>, settling settle: (inout State) -> Change<Value>?) {
        var replaced: Change<Value>?
        self.tellEnd { state in
            guard state.ending == nil else { return nil }
            replaced = state.kept
            if let last = settle(&state) {
                state.kept = last
                state.waiting.append(.change(last, state.observers))
            }
            state.ending = ending
            defer { state.observers = [] }
            return .end(ending, state.observers, closing: self.upstreams)
        }
        // The replaced value is released here, outside the lock.
        if let replaced, replaced.identity != self.kept?.identity { self.readers.hasChanged() }
    }

    /// Ends it for the listeners of one terminal, and then closes that terminal's sources.
    @inlinable
    func end(terminal: UInt64, closing upstreams: Subscription) {
        self.tellEnd { state in
            let leaving = Observers(state.observers.filter { $0.terminal == terminal })
            state.observers.removeAll { $0.terminal == terminal }
            return .end(.completed, leaving, closing: upstreams)
        }
    }

    @inlinable
    func tellEnd(_ make: (inout State) -> Telling?) {
        let isMine = self.state.withLock { state in
            guard let telling = make(&state) else { return false }
            state.waiting.append(telling)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if isMine { self.tellWaiting() }
    }

    /// Releases the observers and the sources, silently: no sender is left.
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

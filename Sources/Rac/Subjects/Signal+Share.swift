public import Synchronization

extension Signal {
    /// Shares one run of this signal among all that observe it at a time.
    ///
    /// The first observer starts the run, and is attached before. The last to leave stops it. A run is over at its end,
    /// too, and the next observer starts a new one; ``publish()`` with ``Connection/autoconnected()`` never does. A late
    /// observer gets later events only. Semantics: docs/semantics.md, connection-12, connection-13. Combine, RxSwift:
    /// share.
    ///
    /// - Returns: A signal that all observers have to get from this call, since each call shares runs of its own.
    @inlinable
    public func share() -> Signal<Value, Failure> {
        let sharing = Sharing(self) { Subject<Value, Failure>() }
        return Signal(serial: { sharing.add($0) })
    }

    /// Shares one run of this signal among all that observe it at a time, and replays its last values to late ones.
    ///
    /// The values of a run are dropped with it. Otherwise it works like ``share()``. Semantics: docs/semantics.md,
    /// connection-14. RxSwift: share(replay:).
    ///
    /// - Parameter capacity: The number of values of a run that late observers get.
    /// - Returns: A signal that all observers have to get from this call, since each call shares runs of its own.
    @inlinable
    public func share(replaying capacity: ReplaySubject<Value, Failure>.Capacity) -> Signal<Value, Failure> {
        let sharing = Sharing(self) { ReplaySubject<Value, Failure>(capacity: capacity) }
        return Signal(serial: { sharing.add($0) })
    }
}

/// The runs of a shared signal, one at a time.
///
/// An observer's subscription refers to its run only: no reference of it may lead back to the observer. Guards: a lock
/// guards `state`, for a few lines at a time.
@usableFromInline
final class Sharing<Hub: EventReceiver & SignalSource>: Sendable {
    @usableFromInline typealias Source = Signal<Hub.Value, Hub.Failure>

    @usableFromInline
    struct Present: Sendable {
        @usableFromInline let run: SharedRun
        @usableFromInline let hub: Hub

        @inlinable
        init(run: SharedRun, hub: Hub) {
            self.run = run
            self.hub = hub
        }
    }

    @usableFromInline let source: Source
    @usableFromInline let makeHub: @Sendable () -> Hub
    @usableFromInline let state = Guarded(Present?.none)

    @inlinable
    init(_ source: Source, makeHub: @escaping @Sendable () -> Hub) {
        self.source = source
        self.makeHub = makeHub
    }

    @inlinable
    func add(_ sink: Sink<Hub.Value, Hub.Failure>) {
        let (present, isNew) = self.join()
        let (run, hub) = (present.run, present.hub)
        sink.subscription.add(AnyDisposable { if run.leave() { run.source.dispose() } })
        hub.signal.body(sink)
        if isNew { self.start(run, into: hub) }
    }

    /// Counts an observer of the present run, or of a new one, which the caller has to start.
    @inlinable
    func join() -> (present: Present, isNew: Bool) {
        if let present = self.state.withLock({ $0 }), present.run.enter() { return (present, false) }
        let fresh = Present(run: SharedRun(), hub: self.makeHub())
        let (present, over) = self.state.withLock { state -> (Present, over: Present?) in
            if let present = state, present.run.enter() { return (present, over: nil) }
            defer { state = fresh }
            return (fresh, over: state)
        }
        // The run that is over is released here, outside the lock.
        withExtendedLifetime(over) {}
        return (present, present.run === fresh.run)
    }

    @inlinable
    func start(_ run: SharedRun, into hub: Hub) {
        // A source that goes away without an end is over, too.
        run.source.add(
            AnyDisposable { [weak self] in
                run.close()
                self?.forget(run)
            }
        )
        self.source.start(
            run.source,
            value: { hub.send($0) },
            end: { ending in
                // An observer that comes at the end starts a new run.
                run.close()
                hub.end(ending)
            }
        )
    }

    /// Drops a run that is over, with its values.
    @inlinable
    func forget(_ run: SharedRun) {
        let leaving = self.state.withLock { state -> Present? in
            guard state?.run === run else { return nil }
            defer { state = nil }
            return state
        }
        withExtendedLifetime(leaving) {}
    }
}

/// One run of a shared signal and the number of its observers.
///
/// It does not know the subject, because the subscriptions of observers refer to it.
@usableFromInline
final class SharedRun: Sendable {
    /// The subscription to the source.
    @usableFromInline let source = Subscription()
    /// The number of observers, of which the first is there from the start; 0 or less when the run is over.
    @usableFromInline let observers = Atomic(1)

    @inlinable
    init() {}

    /// Counts another observer, unless the run is over.
    @inlinable
    func enter() -> Bool {
        var known = self.observers.load(ordering: .acquiring)
        while known > 0 {
            let counted = self.observers.weakCompareExchange(
                expected: known,
                desired: known + 1,
                ordering: .acquiringAndReleasing
            )
            if counted.exchanged { return true }
            known = counted.original
        }
        return false
    }

    /// Counts an observer that leaves, and returns whether it was the last of a run that went on.
    @inlinable
    func leave() -> Bool {
        self.observers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    /// The source has ended; the observers leave later.
    @inlinable
    func close() {
        self.observers.store(0, ordering: .releasing)
    }
}

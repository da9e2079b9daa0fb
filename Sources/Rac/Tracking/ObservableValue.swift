public import Observation
public import Synchronization

/// The part that a value has in Swift's observation: reading it inside `withObservationTracking` asks for one
/// notification of the next change.
///
/// Observation notifies before a change, on one thread. Here a change may come on any thread, so the notification
/// follows it: an observer that reads at once sees the new value.
///
/// Guards: the registrar has a lock of its own. It is made for the first tracked reader: an untracked value has none.
@usableFromInline
struct ObservableValue: ~Copyable, Sendable {
    @usableFromInline let readers = AtomicLazyReference<TrackedReaders>()
    /// Whether there are `readers`: a lazy reference takes 20 ns to say so.
    @usableFromInline let isTracked = Atomic(false)

    @inlinable
    init() {}

    /// Notes that the caller reads the value; called before the reading.
    @usableFromInline
    func isRead() {
        guard self.isTracked.load(ordering: .acquiring) || TrackingProbe.isTracking else { return }
        let readers = self.readers.load() ?? self.readers.storeIfNil(TrackedReaders())
        self.isTracked.store(true, ordering: .releasing)
        readers.add()
    }

    /// Notifies the readers of a change; called behind it, with no lock held.
    @inlinable
    func hasChanged() {
        if self.isTracked.load(ordering: .acquiring) { self.readers.load()?.notify() }
    }
}

/// The tracked readers of one value.
///
/// Observation forgets a reader behind its notification. A second one that came meanwhile, from another thread or from
/// the reader itself, would notify it twice. So one thread notifies at a time, also for those that come meanwhile.
@usableFromInline
final class TrackedReaders: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    @usableFromInline let gate = SerialGate<Void>()

    private var value: Void { () }

    /// Adds the caller, if it is tracked.
    func add() {
        self.registrar.access(self, keyPath: \.value)
    }

    /// Notifies each reader, once.
    @usableFromInline
    func notify() {
        self.takeInTurn(())
    }
}

extension TrackedReaders: Junction {
    @usableFromInline
    func take(_ step: Void) {
        self.registrar.withMutation(of: self, keyPath: \.value) {}
    }
}

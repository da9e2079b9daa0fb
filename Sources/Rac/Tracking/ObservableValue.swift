internal import Observation
internal import Synchronization

/// The part that a value has in Swift's observation: reading it inside `withObservationTracking` asks for one
/// notification of the next change.
///
/// Observation notifies before a change, on one thread. Here a change may come on any thread, so the notification
/// follows it: an observer that reads at once sees the new value.
///
/// Guards: the registrar has a lock of its own. It is made for the first tracked reader: an untracked value has none.
@usableFromInline
struct ObservableValue: ~Copyable, Sendable {
    private final class Place: Observable, Sendable {
        let registrar = ObservationRegistrar()
        var value: Void { () }
    }

    private let place = AtomicLazyReference<Place>()

    @usableFromInline
    init() {}

    /// Notes that the caller reads the value; called before the reading.
    @usableFromInline
    func isRead() {
        guard let place = self.place.load() ?? self.newPlace() else { return }
        place.registrar.access(place, keyPath: \.value)
    }

    private func newPlace() -> Place? {
        TrackingProbe.isTracking ? self.place.storeIfNil(Place()) : nil
    }

    /// Notifies the readers of a change; called behind it, with no lock held.
    @usableFromInline
    func hasChanged() {
        guard let place = self.place.load() else { return }
        place.registrar.withMutation(of: place, keyPath: \.value) {}
    }
}

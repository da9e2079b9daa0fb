public import Observation

extension ChannelTerminal where Failure == Never, Value: Equatable {
    /// Makes a terminal on a property of an observable object of the main actor.
    ///
    /// It starts with the present value. Then it sends the property's new value after each turn of the main actor that
    /// changed it. It completes when the object is released, and does not keep the object. A received value is set on
    /// the main actor, one turn later. Make one terminal and share it: each terminal observes the object as long as it
    /// lives. Of a received value and a change of the object in the turn before that is set, the change stays.
    ///
    /// - Parameters:
    ///   - object: The owner of the property.
    ///   - keyPath: The property.
    @MainActor
    public convenience init<Object: Observable & AnyObject>(
        of object: Object,
        _ keyPath: ReferenceWritableKeyPath<Object, Value>
    ) {
        let place = MainActorPlace(object, keyPath)
        let observed = ObservedProperty(
            object[keyPath: keyPath],
            on: SerialScheduler.main,
            track: { onChange in MainActor.assumeIsolated { place.track(onChange) } },
            write: { value, seen in MainActor.assumeIsolated { place.write(value, ifStill: seen) } }
        )
        self.init(PropertyTerminal(observed.core).port(outward: { $0 }, inward: { $0 }), keeping: nil)
    }

    /// Makes a terminal on a property of an observable object that only one serial scheduler uses.
    ///
    /// Like the one for the main actor; call it on that scheduler.
    ///
    /// - Parameters:
    ///   - object: The owner of the property.
    ///   - keyPath: The property.
    ///   - scheduler: The only scheduler that reads and changes the object; not the immediate one.
    public convenience init<Object: Observable & AnyObject & Sendable>(
        of object: Object,
        _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable,
        on scheduler: some Scheduler
    ) {
        let observed = ObservedProperty(
            object[keyPath: keyPath],
            on: scheduler,
            track: { [weak object] onChange in
                object.map { object in withObservationTracking({ object[keyPath: keyPath] }, onChange: onChange) }
            },
            write: { [weak object] value, seen in
                guard let object, object[keyPath: keyPath] == seen else { return false }
                object[keyPath: keyPath] = value
                return true
            }
        )
        self.init(PropertyTerminal(observed.core).port(outward: { $0 }, inward: { $0 }), keeping: nil)
    }
}

/// A property of an object of the main actor, which it does not keep.
@MainActor
private final class MainActorPlace<Object: Observable & AnyObject, Value: Equatable & Sendable> {
    private weak var object: Object?
    private let keyPath: ReferenceWritableKeyPath<Object, Value>

    init(_ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>) {
        self.object = object
        self.keyPath = keyPath
    }

    func track(_ onChange: @escaping @Sendable () -> Void) -> Value? {
        guard let object else { return nil }
        return withObservationTracking({ object[keyPath: self.keyPath] }, onChange: onChange)
    }

    func write(_ value: Value, ifStill seen: Value) -> Bool {
        guard let object, object[keyPath: self.keyPath] == seen else { return false }
        object[keyPath: self.keyPath] = value
        return true
    }
}

public import Observation

extension ChannelTerminal where Failure == Never, Value: Equatable {
    /// Makes a terminal on a property of an observable object of the main actor.
    ///
    /// It starts with the present value. Then it sends the property's new value after each turn of the main actor that
    /// changed it. It completes when the object is released, and does not keep the object. A received value is set on
    /// the main actor, one turn later. Make one terminal and share it: each terminal observes the object as long as it
    /// lives.
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
            write: { value in MainActor.assumeIsolated { place.write(value) } }
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
            write: { [weak object] in object?[keyPath: keyPath] = $0 }
        )
        self.init(PropertyTerminal(observed.core).port(outward: { $0 }, inward: { $0 }), keeping: nil)
    }
}

/// A property of an object of the main actor, which it does not keep.
@MainActor
private final class MainActorPlace<Object: Observable & AnyObject, Value: Sendable> {
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

    func write(_ value: Value) {
        self.object?[keyPath: self.keyPath] = value
    }
}

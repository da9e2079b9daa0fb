public import Observation

extension ChannelTerminal where Failure == Never, Value: Equatable {
    /// Makes a terminal on a property of an observable object of the main actor.
    ///
    /// It tells the value of now, then what the property has become after each turn of the main actor that changed it, and
    /// completes when the object goes, which it does not keep. What is sent into it is set on the main actor, one turn
    /// later. Make one and hand it around: each is observed for as long as the object lives.
    ///
    /// - Parameters:
    ///   - object: Whose property it is.
    ///   - keyPath: Which property.
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

    /// Makes a terminal on a property of an observable object that is used on one serial scheduler only.
    ///
    /// As the one for the main actor; call it on that scheduler.
    ///
    /// - Parameters:
    ///   - object: Whose property it is.
    ///   - keyPath: Which property.
    ///   - scheduler: Where alone the object is read and changed; not the immediate one.
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

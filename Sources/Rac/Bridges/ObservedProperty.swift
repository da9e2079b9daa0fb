/// A property of an observable object, followed on the scheduler that the object is used on.
///
/// Observation tells that a property is about to change; what it has become can be read one turn later. What is read then
/// is compared with what the core has: so neither what was written from here nor a change that was taken back is told.
/// The object keeps this by the observation, this does not keep the object.
final class ObservedProperty<Value: Equatable & Sendable>: Sendable {
    /// Reads the property and asks to be told once before its next change; nil if the object has gone.
    typealias Track = @Sendable (_ onChange: @escaping @Sendable () -> Void) -> Value?

    /// What the property is, as far as is known.
    let core: ChangeCore<Value, Never>
    private let scheduler: any Scheduler
    private let track: Track
    /// Marks what was read from the object, which is not written to it.
    private let number = SerialNumber.next()

    /// Begins to follow; called where the object is used.
    init(
        _ value: Value,
        on scheduler: any Scheduler,
        track: @escaping Track,
        write: @escaping @Sendable (Value) -> Void
    ) {
        precondition(!(scheduler is ImmediateScheduler), "A change can be read only after the turn that makes it.")
        self.core = ChangeCore(value)
        self.scheduler = scheduler
        self.track = track
        let writer = Sink<Change<Value>, Never>(
            Subscription(),
            value: { change in
                guard !change.isRenewal else { return }
                scheduler.schedule { write(change.value) }
            },
            end: { _ in }
        )
        self.core.add(writer, terminal: self.number, replaying: .nothing)
        self.follow(for: ObjectLife(self.core))
    }

    private func follow(for life: ObjectLife<Value>) {
        let value = self.track { self.scheduler.schedule { self.follow(for: life) } }
        guard let value, value != self.core.newest.value else { return }
        self.core.send(value, origin: self.number)
    }
}

/// Held by what observes an object, and so released with the object: then its property is over.
private final class ObjectLife<Value: Sendable>: Sendable {
    private let core: ChangeCore<Value, Never>

    init(_ core: ChangeCore<Value, Never>) {
        self.core = core
    }

    deinit {
        self.core.end(.completed)
    }
}

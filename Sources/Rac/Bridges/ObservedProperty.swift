/// A property of an observable object, followed on the scheduler that uses the object.
///
/// Observation announces a change before it happens; the new value can be read one turn later. That value is compared
/// with the one that was seen last. So neither a write from here nor a change that was taken back is announced. The
/// observation makes the object keep this property; the property does not keep the object.
final class ObservedProperty<Value: Equatable & Sendable>: Sendable {
    /// Reads the property and asks for one notification before its next change; nil if the object is gone.
    typealias Track = @Sendable (_ onChange: @escaping @Sendable () -> Void) -> Value?

    /// Sets the property if it still has the value that was seen last; returns whether it had.
    typealias Write = @Sendable (_ value: Value, _ seen: Value) -> Bool

    /// The value of the property, as far as it is known.
    let core: ChangeCore<Value, Never>
    private let scheduler: any Scheduler
    private let track: Track
    private let write: Write
    /// The value of the object that was read or set last; touched on the scheduler only.
    private let seen: SerialCell<Value>
    /// Marks a value that was read from the object, which is not written back to it.
    private let number = SerialNumber.next()

    /// Begins to follow; called on the object's scheduler.
    init(
        _ value: Value,
        on scheduler: any Scheduler,
        track: @escaping Track,
        write: @escaping Write
    ) {
        precondition(!(scheduler is ImmediateScheduler), "A change can be read only after the turn that makes it.")
        self.core = ChangeCore(value)
        self.scheduler = scheduler
        self.track = track
        self.write = write
        self.seen = SerialCell(value)
        let writer = Sink<Change<Value>, Never>(
            Subscription(),
            value: { [weak core = self.core, seen = self.seen] change in
                guard !change.isRenewal else { return }
                scheduler.schedule { [core] in
                    if let core { Self.pass(core.untracked, write, seen) }
                }
            },
            end: { _ in }
        )
        self.core.add(writer, terminal: self.number, replaying: .nothing)
        self.follow(for: ObjectLife(self.core))
    }

    private func follow(for life: ObjectLife<Value>) {
        let value = self.track { self.scheduler.schedule { self.follow(for: life) } }
        guard let value else { return }
        let newest = self.core.untracked
        // A value that was written from here is no edit. The object lacks a newer one, which is on its way, or met an edit
        // that was taken back since.
        guard value != self.seen.state else { return Self.pass(newest, self.write, self.seen) }
        self.seen.state = value
        guard value != newest else { return }
        self.core.send(value, origin: self.number)
    }

    /// Sets the object's property to the newest value, unless the object was edited: then its value is about to be read.
    private static func pass(_ newest: Value, _ write: Write, _ seen: SerialCell<Value>) {
        if newest != seen.state, write(newest, seen.state) { seen.state = newest }
    }
}

/// An observation holds this object, and the observed object holds the observation.
///
/// Its release means that the property is over.
private final class ObjectLife<Value: Sendable>: Sendable {
    private let core: ChangeCore<Value, Never>

    init(_ core: ChangeCore<Value, Never>) {
        self.core = core
    }

    deinit {
        self.core.end(.completed)
    }
}

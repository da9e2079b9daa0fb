/// A value that changes over time, can be read now, and tells its observers of every change.
///
/// A change is visible before it is told, so an observer that reads the property sees what it is told or something
/// newer, and never waits: an observer may also set it. What is set inside an observer, or by another thread meanwhile,
/// is told afterwards, in the order in which it was set. A property never fails; it completes when its last reference
/// goes, which observers and bindings are not. Isolation: any thread. Semantics: docs/semantics.md, property-1 to
/// property-8. ReactiveObjC: RACObserve, RAC.
public final class Property<Value: Sendable>: SignalSource {
    @usableFromInline let core: ChangeCore<Value, Never>
    /// The one-way binding that was made last, live or not.
    let binding = Guarded<Subscription?>(nil)

    /// Makes a property.
    ///
    /// - Parameter value: What it is at first.
    @inlinable
    public init(_ value: Value) {
        self.core = ChangeCore(value)
    }

    deinit {
        self.core.end(.completed)
    }

    /// What the property is now; setting it tells every observer, also if nothing changes.
    @inlinable
    public var value: Value {
        get { self.core.newest.value }
        set { self.core.send(newValue) }
    }

    /// The value of now, then each one that is set from now on, then the end when the property goes away.
    @inlinable
    public var signal: Signal<Value, Never> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// The property without the possibility to set it.
    public var readOnly: ReadOnlyProperty<Value> { ReadOnlyProperty(self.core) }

    /// How many observers and bindings listen to it.
    package var observerCount: Int { self.core.observerCount }

    /// Changes the value on the ground of what it is, losing no change that another thread makes.
    ///
    /// - Parameter transform: Changes a copy, with no lock held; runs again if somebody was faster.
    public func modify(_ transform: (inout Value) -> Void) {
        var isDone = false
        while !isDone {
            let found = self.core.newest
            var value = found.value
            transform(&value)
            isDone = self.core.send(value, ifStillRanked: found.rank)
        }
    }
}

extension ChangeCore where Failure == Never {
    /// What a property has.
    @inlinable
    var newest: Change<Value> {
        guard let kept = self.kept else { preconditionFailure("A property has a value from the start.") }
        return kept
    }

    /// Adds an observer of a property's values.
    @inlinable
    func add(_ sink: Sink<Value, Never>) {
        let changes = Sink<Change<Value>, Never>(
            sink.subscription,
            value: { change in
                if !change.isRenewal { sink.send(change.value) }
            },
            end: sink.finish
        )
        self.add(changes, replaying: .present)
    }
}

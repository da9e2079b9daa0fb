public import Observation

/// A value that changes over time, can be read now, and notifies its observers of each change.
///
/// A change is visible before its notification. So an observer that reads the property sees that value or a newer one,
/// and never waits; it may also set the property. A value that an observer or another thread sets meanwhile is
/// announced next, in order. A property never fails. It completes when its last reference is released. Views hold it, such as
/// ``readOnly`` and a `map`; their observers and bindings do not. So a property that is only bound, or only observed, ends
/// with the last owner. Isolation: any thread. Semantics: docs/semantics.md, property-1 to property-8, property-13. ReactiveObjC:
/// RACObserve, RAC.
public final class Property<Value: Sendable>: SignalSource {
    @usableFromInline let core: ChangeCore<Value, Never>
    /// The latest one-way binding, live or not.
    @usableFromInline let binding = Guarded<Subscription?>(nil)

    /// Makes a property.
    ///
    /// - Parameter value: The first value.
    @inlinable
    public init(_ value: Value) {
        self.core = ChangeCore(value)
    }

    deinit {
        self.core.end(.completed)
    }

    /// The present value; setting it notifies each observer, also with an equal value.
    ///
    /// Swift's observation tracks its reading: the next change notifies a SwiftUI view whose body reads it, and a caller
    /// of `withObservationTracking`. The notification comes on the thread that sets it, or on one that is notifying.
    /// Semantics: docs/semantics.md, property-9.
    @inlinable
    public var value: Value {
        get { self.core.value }
        set { self.core.send(newValue) }
    }

    /// The present value, then each later one, then the end when the property is released.
    @inlinable
    public var signal: Signal<Value, Never> {
        Signal(serial: { [core] in core.add($0) })
    }

    /// The property without its setter; it keeps this property alive while it is held.
    @inlinable
    public var readOnly: ReadOnlyProperty<Value> {
        ReadOnlyProperty(read: { self.core.value }, signal: self.signal)
    }

    /// Ends the property before its release: it keeps its value, and takes no other one.
    package func complete() {
        self.core.end(.completed)
    }

    /// The number of observers and bindings.
    package var observerCount: Int { self.core.observerCount }

    /// Changes the value depending on the present one, without losing another thread's change.
    ///
    /// - Parameter transform: Changes a copy, with no lock held; runs again if another thread was faster.
    @inlinable
    public func modify(_ transform: (inout Value) -> Void) {
        self.core.modify(transform)
    }
}

extension Property: Observable {}

extension ChangeCore where Failure == Never {
    /// The value of a property, for a program that reads it and may be tracked.
    @inlinable
    var value: Value {
        self.readers.isRead()
        return self.untracked
    }

    /// The value of a property, for the library itself.
    @inlinable
    var untracked: Value {
        // The marks stay behind: copying them takes as long as the lock.
        guard let value = self.state.withLock({ $0.kept?.value }) else {
            preconditionFailure("A property has a value from the start.")
        }
        return value
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

/// A property that only its owner sets: a value to read now and to observe.
///
/// A view of a ``Property`` keeps that alive, and its observers do not. Isolation: any thread. Semantics:
/// docs/semantics.md, property-1 to property-4, property-13.
public struct ReadOnlyProperty<Value: Sendable>: SignalSource {
    @usableFromInline let read: @Sendable () -> Value
    /// The present value, then each later one, then the end when the owner is released.
    public let signal: Signal<Value, Never>

    @inlinable
    init(_ core: ChangeCore<Value, Never>) {
        self.init(read: { core.value }, signal: Signal(serial: { core.add($0) }))
    }

    /// Makes a property of a signal, which it observes at once.
    ///
    /// It ends with the signal, or when its last copy goes.
    ///
    /// - Parameters:
    ///   - initial: The value until the signal sends one.
    ///   - source: The signal of the later values.
    @inlinable
    public init(initial: Value, then source: some SignalSource<Value, Never>) {
        let property = Property(initial)
        let core = property.core
        source.signal.start(in: core.upstreams, value: { core.send($0) }, end: { core.end($0) })
        self.init(read: { property.value }, signal: property.signal)
    }

    /// Makes a view of a property.
    ///
    /// - Parameters:
    ///   - read: Returns the present value.
    ///   - signal: Sends the present value, then each later one, then the end.
    @inlinable
    package init(read: @escaping @Sendable () -> Value, signal: Signal<Value, Never>) {
        self.read = read
        self.signal = signal
    }

    /// A property whose value never changes.
    ///
    /// - Parameter value: The value.
    /// - Returns: The property; its signal sends the value and completes.
    @inlinable
    public static func constant(_ value: Value) -> ReadOnlyProperty<Value> {
        ReadOnlyProperty(read: { value }, signal: .just(value))
    }

    /// The present value.
    ///
    /// Swift's observation tracks its reading, as that of ``Property/value``.
    @inlinable
    public var value: Value { self.read() }

    /// The property itself.
    @inlinable
    public var readOnly: ReadOnlyProperty<Value> { self }
}

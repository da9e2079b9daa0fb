/// A property that only its owner sets: a value to read now and to observe.
///
/// Isolation: any thread. Semantics: docs/semantics.md, property-1 to property-4, as ``Property``, with which it ends;
/// it does not keep that alive.
public struct ReadOnlyProperty<Value: Sendable>: SignalSource {
    private let read: @Sendable () -> Value
    /// The value of now, then each later one, then the end when the owner goes away.
    public let signal: Signal<Value, Never>

    init(_ core: ChangeCore<Value, Never>) {
        self.init(read: { core.newest.value }, signal: Signal(serial: { core.add($0) }))
    }

    /// Makes a property of a signal, which it observes at once.
    ///
    /// It ends with the signal, or when its last copy goes.
    ///
    /// - Parameters:
    ///   - initial: What it is until the signal says something.
    ///   - source: Each of its values is what the property is from then on.
    public init(initial: Value, then source: some SignalSource<Value, Never>) {
        let property = Property(initial)
        let core = property.core
        source.signal.start(in: core.upstreams, value: { core.send($0) }, end: { core.end($0) })
        self.init(read: { property.value }, signal: property.signal)
    }

    private init(read: @escaping @Sendable () -> Value, signal: Signal<Value, Never>) {
        self.read = read
        self.signal = signal
    }

    /// What the property is now.
    public var value: Value { self.read() }

    /// What a function makes of this property, computed whenever it is read and for each observer.
    ///
    /// - Parameter transform: Called with the value at that time.
    /// - Returns: A view of this property.
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> ReadOnlyProperty<Output> {
        let read = self.read
        return ReadOnlyProperty<Output>(read: { transform(read()) }, signal: self.signal.map(transform))
    }
}

/// A value to read now and to observe: a property, or a view of one.
///
/// Semantics: docs/semantics.md, property-10.
public protocol PropertySource<Value>: SignalSource where Failure == Never {
    /// The property without a setter.
    var readOnly: ReadOnlyProperty<Value> { get }
}

extension PropertySource {
    /// A function of this property, computed at each reading and for each observer.
    ///
    /// - Parameter transform: Called with the value of that moment.
    /// - Returns: A view of this property, which it does not keep alive.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> ReadOnlyProperty<Output> {
        let (read, signal) = (self.readOnly.read, self.signal)
        return ReadOnlyProperty<Output>(read: { transform(read()) }, signal: signal.map(transform))
    }
}

extension Property: PropertySource {}
extension ReadOnlyProperty: PropertySource {}

/// Combines properties of any types to one that has a tuple of their values.
///
/// Its value is computed at each reading from the present values. An observer gets a tuple at once, and one for each
/// change of a member; it sees a change of two members as two. The result ends when all members have ended, and keeps
/// none of them alive. Semantics: docs/semantics.md, property-10.
///
/// - Parameter members: The properties, two or more.
/// - Returns: The property of the tuples.
@inlinable
public func combineLatest<each Member: PropertySource>(
    _ members: repeat each Member
) -> ReadOnlyProperty<(repeat (each Member).Value)> {
    let views = (repeat (each members).readOnly)
    return ReadOnlyProperty<(repeat (each Member).Value)>(
        read: { (repeat (each views).read()) },
        signal: combineLatest(repeat (each members).signal)
    )
}

/// Combines properties of any types to one of a function of their values.
///
/// Like `combineLatest` without a function.
///
/// - Parameters:
///   - members: The properties, two or more.
///   - transform: Called at each reading and for each observer.
/// - Returns: The property of the results.
@inlinable
public func combineLatest<each Member: PropertySource, Output>(
    _ members: repeat each Member,
    transform: @escaping @Sendable (repeat (each Member).Value) -> Output
) -> ReadOnlyProperty<Output> {
    let views = (repeat (each members).readOnly)
    return ReadOnlyProperty<Output>(
        read: { transform(repeat (each views).read()) },
        signal: combineLatest(repeat (each members).signal, transform: transform)
    )
}

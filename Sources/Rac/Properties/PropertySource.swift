/// A source that has a state at every moment, so that it combines with properties: a property, or a remote one.
///
/// Semantics: docs/semantics.md, property-10.
public protocol StateSource<State>: Sendable {
    /// The type of the state: of a property its value, of a remote property its optional value.
    associatedtype State: Sendable

    /// The state as a property without a setter.
    var readOnly: ReadOnlyProperty<State> { get }
}

/// A value to read now and to observe: a property, or a view of one.
///
/// Semantics: docs/semantics.md, property-10.
public protocol PropertySource<Value>: SignalSource, StateSource where Failure == Never, State == Value {}

extension PropertySource {
    /// A function of this property, computed at each reading and for each observer.
    ///
    /// Hold the result as long as its value is wanted: an observer of it holds neither. A closure that observes this
    /// property and holds the result keeps both for ever. Semantics: docs/semantics.md, property-13.
    ///
    /// - Parameter transform: Called with the value of that moment.
    /// - Returns: A view of this property, which it keeps alive.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> ReadOnlyProperty<Output> {
        let (read, signal) = (self.readOnly.read, self.signal)
        return ReadOnlyProperty<Output>(read: { transform(read()) }, signal: signal.map(transform))
    }
}

extension PropertySource {
    /// The property without repetitions: an observer gets each value that differs from the one before it.
    ///
    /// - Parameter areEqual: Called with the last passed value and the present one.
    /// - Returns: A view of this property, which it keeps alive.
    @inlinable
    public func removeDuplicates(by areEqual: @escaping @Sendable (Value, Value) -> Bool) -> ReadOnlyProperty<Value> {
        ReadOnlyProperty<Value>(read: self.readOnly.read, signal: self.signal.removeDuplicates(by: areEqual))
    }
}

extension PropertySource where Value: Equatable {
    /// The property without repetitions: an observer gets each value that differs from the one before it.
    ///
    /// - Returns: A view of this property, which it keeps alive.
    @inlinable
    public func removeDuplicates() -> ReadOnlyProperty<Value> {
        self.removeDuplicates(by: ==)
    }
}

extension StateSource {
    /// Pairs this property with another one.
    ///
    /// It works like `combineLatest` of two properties, which describes the states between two changes.
    ///
    /// - Parameter other: The other property; a remote one, too.
    /// - Returns: The property of the pairs.
    @inlinable
    public func combineLatest<Other: StateSource>(with other: Other) -> ReadOnlyProperty<(State, Other.State)> {
        Rac.combineLatest(self, other)
    }
}

extension Property: PropertySource {}
extension ReadOnlyProperty: PropertySource {}

/// Combines properties of any types to one that has a tuple of their values.
///
/// Its value is computed at each reading from the present values. An observer gets a tuple at once, and one for each
/// change of a member. The result keeps its members alive; its observers do not, and hear its end when all members have
/// ended.
///
/// A change of two members is two states. The first has the new value of one member beside the old value of the other.
/// Readers and observers see it. To avoid it, keep values that belong together in one property with a structure, and
/// take a ``PropertySource/map(_:)`` of that.
///
/// A property and a `map` of it are two members, so observers see the mixed state for each change. One `map` of the
/// property, with both results, has none. Semantics: docs/semantics.md, property-10.
///
/// - Parameter members: The properties, two or more; remote ones, too.
/// - Returns: The property of the tuples.
@inlinable
public func combineLatest<each Member: StateSource>(
    _ members: repeat each Member
) -> ReadOnlyProperty<(repeat (each Member).State)> {
    let views = (repeat (each members).readOnly)
    return ReadOnlyProperty<(repeat (each Member).State)>(
        read: { (repeat (each views).read()) },
        signal: combineLatest(repeat (each views).signal)
    )
}

/// Combines properties of any types to one of a function of their values.
///
/// Like `combineLatest` without a function. So a change of two members gives two results, the first of a mixed state; `map`
/// of one property with a structure gives one.
///
/// - Parameters:
///   - members: The properties, two or more; remote ones, too.
///   - transform: Called at each reading and for each observer.
/// - Returns: The property of the results.
@inlinable
public func combineLatest<each Member: StateSource, Output>(
    _ members: repeat each Member,
    transform: @escaping @Sendable (repeat (each Member).State) -> Output
) -> ReadOnlyProperty<Output> {
    let views = (repeat (each members).readOnly)
    return ReadOnlyProperty<Output>(
        read: { transform(repeat (each views).read()) },
        signal: combineLatest(repeat (each views).signal, transform: transform)
    )
}

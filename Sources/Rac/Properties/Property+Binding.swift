extension Property {
    /// Sets the property to every value of a signal, until that ends: then the last value stays.
    ///
    /// A property takes one of these bindings at a time. Making a second while the first is live is a programmer's
    /// error that stops the program in every build (property-7).
    ///
    /// - Parameter source: Let go when the property goes away, which it does not keep alive.
    /// - Returns: The handle that undoes it; letting go of it does not.
    @discardableResult
    public func bind(to source: some SignalSource<Value, Never>) -> Subscription {
        let binding = Subscription(in: self.core.upstreams)
        let isFirst = self.binding.withLock { live in
            guard live?.isOpen != true else { return false }
            live = binding
            return true
        }
        precondition(isFirst, "A property takes one live binding: dispose the first before you make a second.")
        return source.signal.start(binding, value: { [core] in core.send($0) }, end: { _ in })
    }

    /// Sets the property to every value of a signal, and to another value where that has none.
    ///
    /// - Parameters:
    ///   - source: As in ``bind(to:)``.
    ///   - replacement: Stands in for nil.
    /// - Returns: The handle that undoes it; letting go of it does not.
    @discardableResult
    public func bind(to source: some SignalSource<Value?, Never>, whenNil replacement: Value) -> Subscription {
        self.bind(to: source.signal.map { $0 ?? replacement })
    }
}

/// How tightly the binding operators hold: looser than everything that makes a signal.
precedencegroup BindingPrecedence {
    lowerThan: TernaryPrecedence
    higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// Sets a property to every value of a signal, until that ends.
///
/// - Parameters:
///   - property: As in ``Property/bind(to:)``.
///   - source: What sets it.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~ <Value>(property: Property<Value>, source: some SignalSource<Value, Never>) -> Subscription {
    property.bind(to: source)
}

extension Property {
    /// Sets the property to each value of a signal, until its end; the last value stays.
    ///
    /// A property takes one of these bindings at a time. A second one while the first is live is a programmer's error
    /// that stops the program in every build. Each value counts as a new change. So a ring with such a binding, as of
    /// `a <~ b` beside `a <~> b`, never comes to rest. Semantics: docs/semantics.md, property-7.
    ///
    /// - Parameter source: Its subscription is disposed when the property is released; the binding does not keep the
    ///   property alive.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @inlinable
    @discardableResult
    public func bind(to source: some SignalSource<Value, Never>) -> Subscription {
        let binding = Subscription(in: self.core.upstreams)
        let isFirst = self.binding.withLock { live in
            guard live?.isOpen != true else { return false }
            live = binding
            return true
        }
        precondition(isFirst, "A property takes one live binding: dispose the first before you make a second.")
        self.core.tie(binding)
        return source.signal.start(binding, value: { [core] in core.send($0) }, end: { _ in })
    }

    /// Sets the property to each value of a signal, and to a replacement for an absent value.
    ///
    /// - Parameters:
    ///   - source: As in ``bind(to:)``.
    ///   - replacement: Stands in for nil.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @inlinable
    @discardableResult
    public func bind(to source: some SignalSource<Value?, Never>, whenNil replacement: Value) -> Subscription {
        self.bind(to: source.signal.map { $0 ?? replacement })
    }
}

extension Property {
    /// Sets a property that may have no value to each value of a signal.
    ///
    /// - Parameter source: As in `bind` for a signal of the property's own type.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @inlinable
    @discardableResult
    public func bind<Wrapped>(to source: some SignalSource<Wrapped, Never>) -> Subscription where Value == Wrapped? {
        self.bind(to: source.signal.map { .some($0) })
    }
}

/// The precedence of the binding operators: lower than that of operators that make a signal.
precedencegroup BindingPrecedence {
    lowerThan: TernaryPrecedence
    higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// Sets a property to each value of a signal, until its end.
///
/// - Parameters:
///   - property: As in ``Property/bind(to:)``.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~ <Value>(property: Property<Value>, source: some SignalSource<Value, Never>) -> Subscription {
    property.bind(to: source)
}

/// Sets a property that may have no value to each value of a signal, until its end.
///
/// - Parameters:
///   - property: As in ``Property/bind(to:)``.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~ <Value>(property: Property<Value?>, source: some SignalSource<Value, Never>) -> Subscription {
    property.bind(to: source)
}

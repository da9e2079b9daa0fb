extension Property {
    /// A terminal on a field of this property's value: it sends the field's present value, then each other one.
    ///
    /// A received value sets the field and keeps the others, also when another thread sets them meanwhile. A change of
    /// another field is not announced, and neither is an equal value. A value that is sent during a notification of this
    /// terminal is set behind it. Ends and lifetime are those of ``terminal()``. Semantics: docs/semantics.md, lens-1 to
    /// lens-4.
    ///
    /// - Parameter field: The path to the field, such as `\.name` or `\.address.city`.
    /// - Returns: A new terminal; two on one field get each other's values.
    @inlinable
    public func terminal<Field: Equatable & Sendable>(
        _ field: any WritableKeyPath<Value, Field> & Sendable
    ) -> ChannelTerminal<Field, Never> {
        let lens = Lens(self.core, field)
        lens.follow()
        return lens.terminal()
    }
}

extension MirrorCore {
    /// A new terminal on a field of a remote property's value.
    ///
    /// A value that is sent while the property has no value yet is not sent on: the other fields are unknown. The end of
    /// the terminal leaves the property as it is.
    ///
    /// - Parameters:
    ///   - field: The path to the field.
    ///   - holder: Held by the terminal, its observers and its bindings.
    ///   - admit: Decides on the property's value with the new field; nil takes all. After a refusal the terminal sends
    ///     the field's former value again.
    ///   - whenReported: Calls back once the far side's state is known.
    /// - Returns: A new terminal; two on one field get each other's values.
    package func terminal<Field: Equatable & Sendable>(
        _ field: any WritableKeyPath<Value, Field> & Sendable,
        holding holder: any AnyObject & Sendable,
        admitting admit: Admittance<Value>? = nil,
        whenReported: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> ChannelTerminal<Field, Failure> {
        let lens = Lens(self.core, field, admitting: admit)
        lens.observation.hold(holder)
        lens.follow()
        return lens.terminal(Remoteness(whenReported: whenReported, holder: holder))
    }
}

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
    ///   - remoteness: The state of the far side; its holder is held by the terminal, its observers and its bindings.
    ///   - admit: Decides on the property's value with the new field; nil takes all. After a refusal the terminal sends
    ///     the field's former value again.
    /// - Returns: A new terminal; two on one field get each other's values.
    package func terminal<Field: Equatable & Sendable>(
        _ field: any WritableKeyPath<Value, Field> & Sendable,
        _ remoteness: Remoteness,
        admitting admit: Admittance<Value>? = nil
    ) -> ChannelTerminal<Field, Failure> {
        let lens = Lens(self.core, field, admitting: admit, refused: self.refused)
        lens.observation.hold(remoteness.holder)
        lens.follow()
        let (port, root, refused) = (lens.terminal(remoteness).port, self.core, self.refused)
        let refusing = TerminalPort<Field, Failure>(
            send: { root.ending == nil ? port.send($0) : refused() },
            take: { change in
                if root.ending == nil { return port.take(change) }
                if !change.isRenewal, !change.hasPassed(root.number) { refused() }
            },
            end: port.end,
            add: port.add,
            upstreams: port.upstreams,
            isOver: port.isOver,
            remoteness: remoteness,
            answer: { change in
                remoteness.isStanding() ? root.answer(behindTheEnd: change) { $0[keyPath: field] } : nil
            }
        )
        return ChannelTerminal(refusing, keeping: lens)
    }
}

/// A property that takes valid values only, and keeps the newest edit beside them, valid or not.
///
/// A field is bound to ``edit``, which takes anything. ``value`` has the last edit without a flaw, and ``flaw`` says what
/// is wrong with the newest one. Observers of `flaw` are notified behind the change of `value`. It works as long as it,
/// ``edit`` or a view such as ``flaw`` is held; observers, terminals and bindings hold none of them. Isolation: any thread.
/// Semantics: docs/semantics.md, property-11 to property-13.
/// ReactiveSwift: ValidatingProperty.
public final class ValidatingProperty<Value: Sendable, Flaw: Sendable>: PropertySource {
    /// The newest edit, valid or not.
    public let edit: Property<Value>
    /// The flaw of the newest edit; nil if it is valid.
    public let flaw: ReadOnlyProperty<Flaw?>

    private let accepted: Property<Value>
    private let accepts: @Sendable (Value) -> Bool

    /// Makes a property with a rule.
    ///
    /// - Parameters:
    ///   - value: The first value, and the first edit; the rule judges it as an edit only.
    ///   - validate: Returns the flaw of an edit, or nil. It runs at each edit and each reading of ``flaw``.
    public convenience init(_ value: Value, validate: @escaping @Sendable (Value) -> Flaw?) {
        let edit = Property(value)
        self.init(value, edit, flaw: edit.map(validate)) { validate($0) == nil }
    }

    /// Makes a property with a rule that another property has a part in, such as the password that an edit repeats.
    ///
    /// A change of the other property judges the newest edit again: it may take a value that had a flaw. An accepted
    /// value stays.
    ///
    /// - Parameters:
    ///   - value: The first value, and the first edit; the rule judges it as an edit only.
    ///   - other: The other property.
    ///   - validate: Returns the flaw of an edit beside the other property's value, or nil.
    public convenience init<Other>(
        _ value: Value,
        with other: some StateSource<Other>,
        validate: @escaping @Sendable (Value, Other) -> Flaw?
    ) {
        let (edit, present) = (Property(value), other.readOnly)
        self.init(value, edit, flaw: Rac.combineLatest(edit, present, transform: validate)) {
            validate($0, present.value) == nil
        }
        let accepted = self.accepted.core
        present.signal.start(
            in: accepted.upstreams,
            value: { [edit = edit.core, accepts] _ in
                guard var newest = edit.kept, accepts(newest.value) else { return }
                newest.isRenewal = false
                accepted.adopt(newest, origin: newest.origin)
            },
            end: { _ in }
        )
    }

    private init(
        _ value: Value,
        _ edit: Property<Value>,
        flaw: ReadOnlyProperty<Flaw?>,
        accepts: @escaping @Sendable (Value) -> Bool
    ) {
        let accepted = Property(value)
        self.edit = edit
        self.flaw = flaw
        self.accepted = accepted
        self.accepts = accepts
        // A field may hold the edit alone.
        edit.core.upstreams.hold(accepted)
        edit.terminal() <~> accepted.terminal().map(forward: { $0 }, backward: { accepts($0) ? $0 : nil })
    }

    /// The last edit without a flaw; setting it is an edit, which a flaw keeps out.
    public var value: Value {
        get { self.accepted.value }
        set { self.edit.value = newValue }
    }

    /// The value, then each accepted edit, then the end when the property is released.
    public var signal: Signal<Value, Never> { self.accepted.signal }

    /// The property of accepted values, without a setter.
    public var readOnly: ReadOnlyProperty<Value> { self.accepted.readOnly }

    /// Whether the newest edit is valid.
    public var isValid: ReadOnlyProperty<Bool> { self.flaw.map { $0 == nil } }

    /// A new terminal on this property: it sends the value, then each accepted edit that did not come through it.
    ///
    ///     name.terminal() <~> profile.terminal(\.name)
    ///
    /// A value that it receives is an edit, like one of the user's: it becomes the value if it has no flaw. A flawed one
    /// stays in ``edit`` alone, and its sender keeps it. So the two sides differ until the next edit without a flaw. Ends
    /// and lifetime are those of ``Property/terminal()``. Semantics: docs/semantics.md, property-12.
    ///
    /// - Returns: A new terminal; two on one property get each other's values.
    public func terminal() -> ChannelTerminal<Value, Never> {
        let terminal = PropertyTerminal(self.accepted.core)
        let port = terminal.port(outward: { $0 }, inward: { $0 })
        let (accepts, edit) = (self.accepts, self.edit.core)
        let judging = TerminalPort<Value, Never>(
            send: { value in
                if accepts(value) { return port.send(value) }
                if terminal.isOpen { edit.send(value, origin: terminal.number) }
            },
            take: { change in
                if accepts(change.value) { return port.take(change) }
                if terminal.isOpen { edit.adopt(change, origin: terminal.number) }
            },
            end: port.end,
            add: port.add,
            upstreams: port.upstreams,
            isOver: port.isOver,
            tied: port.tied
        )
        return ChannelTerminal(judging, keeping: nil)
    }
}

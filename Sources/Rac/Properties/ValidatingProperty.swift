/// A property that takes valid values only, and keeps the newest edit beside them, valid or not.
///
/// A field is bound to ``edit``, which takes anything. ``value`` has the last edit without a flaw, and ``flaw`` says what
/// is wrong with the newest one. Observers of `flaw` are notified behind the change of `value`. Isolation: any thread.
/// Semantics: docs/semantics.md, property-11. ReactiveSwift: ValidatingProperty.
public final class ValidatingProperty<Value: Sendable, Flaw: Sendable>: PropertySource {
    /// The newest edit, valid or not.
    public let edit: Property<Value>
    /// The flaw of the newest edit; nil if it is valid.
    public let flaw: ReadOnlyProperty<Flaw?>

    private let accepted: Property<Value>

    /// Makes a property with a rule.
    ///
    /// - Parameters:
    ///   - value: The first value, and the first edit; the rule judges it as an edit only.
    ///   - validate: Returns the flaw of an edit, or nil. It runs at each edit and each reading of ``flaw``.
    public convenience init(_ value: Value, validate: @escaping @Sendable (Value) -> Flaw?) {
        let edit = Property(value)
        self.init(value, edit, flaw: edit.map(validate), checks: edit.signal.map { ($0, validate($0)) })
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
        with other: some PropertySource<Other>,
        validate: @escaping @Sendable (Value, Other) -> Flaw?
    ) {
        let edit = Property(value)
        let checks = combineLatest(edit.signal, other.signal) { ($0, validate($0, $1)) }
        self.init(value, edit, flaw: combineLatest(edit, other, transform: validate), checks: checks)
    }

    private init(
        _ value: Value,
        _ edit: Property<Value>,
        flaw: ReadOnlyProperty<Flaw?>,
        checks: Signal<(Value, Flaw?), Never>
    ) {
        let accepted = Property(value)
        self.edit = edit
        self.flaw = flaw
        self.accepted = accepted
        // The first check is of the first value, which is there already.
        accepted <~ checks.skip(1).filter { $0.1 == nil }.map { $0.0 }
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
}

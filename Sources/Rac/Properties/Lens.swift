/// A field of a property as a property of its own: a copy of the field that both sides set.
///
/// The core of the field has the terminals, so all rules of bindings hold for it. Steps in both directions come one
/// after another: a step compares one side's value with the last one that both sides had. So a change of another field
/// never overwrites a write of this one that is on its way. Both sides agree when their writers stop.
///
/// The root's core refers to the lens weakly. Its terminals, their observers and the other ends of bindings hold it.
@usableFromInline
final class Lens<Root: Sendable, Field: Equatable & Sendable, Failure: Error>: Junction {
    @usableFromInline
    enum Step: Sendable {
        /// The root has changed.
        case inward
        /// The field has changed through a terminal.
        case outward
        case end(Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline let root: ChangeCore<Root, Failure>
    @usableFromInline let field = ChangeCore<Field, Failure>(keeping: .newest)
    @usableFromInline let path: any WritableKeyPath<Root, Field> & Sendable
    /// Decides on values of the root with a new field; nil takes all.
    @usableFromInline let admit: Admittance<Root>?
    /// Reports that a value came behind the end of the root.
    @usableFromInline let refused: @Sendable () -> Void
    /// The value that both sides had last; touched inside the gate only.
    @usableFromInline let common = SerialCell<Field?>(nil)
    /// The number under which each side knows the lens.
    @usableFromInline let number = SerialNumber.next()
    @usableFromInline let observation = Subscription()

    @inlinable
    init(
        _ root: ChangeCore<Root, Failure>,
        _ path: any WritableKeyPath<Root, Field> & Sendable,
        admitting admit: Admittance<Root>? = nil,
        refused: @escaping @Sendable () -> Void = {}
    ) {
        self.root = root
        self.path = path
        self.admit = admit
        self.refused = refused
    }

    deinit {
        self.observation.dispose()
        self.field.abandon()
    }

    /// Begins to follow both sides.
    @inlinable
    func follow() {
        let fromField = Sink<Change<Field>, Failure>(
            Subscription(in: self.observation),
            value: { [weak self] in if !$0.isRenewal { self?.takeInTurn(.outward) } },
            end: { _ in }
        )
        self.field.add(fromField, terminal: self.number, replaying: .nothing)
        let fromRoot = Sink<Change<Root>, Failure>(
            Subscription(in: self.observation),
            value: { [weak self] in if !$0.isRenewal { self?.takeInTurn(.inward) } },
            end: { [weak self] in self?.takeInTurn(.end($0)) }
        )
        self.root.add(fromRoot, terminal: self.number, replaying: .present)
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .inward:
            guard let value = self.root.kept?.value[keyPath: self.path], value != self.common.state else { return }
            self.common.state = value
            self.field.send(value, origin: self.number)
        case .outward:
            guard let value = self.field.kept?.value, value != self.common.state else { return }
            let outcome = self.root.modify(origin: self.number, admitting: self.admit) {
                $0[keyPath: self.path] = value
            }
            switch outcome {
            case .taken: self.common.state = value
            case .refused: self.goBack()
            case .ended:
                self.goBack()
                self.refused()
            }
        case .end(let ending):
            self.field.end(ending)
        }
    }

    @inlinable
    func goBack() {
        if let former = self.common.state { self.field.send(former, origin: self.number) }
    }

    /// A terminal on the field.
    @inlinable
    func terminal(_ remoteness: Remoteness? = nil) -> ChannelTerminal<Field, Failure> {
        let terminal = PropertyTerminal(self.field, holding: self, remoteness)
        return ChannelTerminal(terminal.port(outward: { $0 }, inward: { $0 }), keeping: self)
    }
}

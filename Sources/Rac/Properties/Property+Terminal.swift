public import Synchronization

extension Property {
    /// A new terminal on this property: it sends the present value, then each change that did not come through it.
    ///
    /// A received value sets the property. The terminal ends with the property; ending the terminal leaves the property
    /// as it is. It keeps the property no more alive than an observer does. Semantics: docs/semantics.md, terminal-1 to
    /// terminal-9. ReactiveObjC: RACChannelTo.
    ///
    /// - Returns: A new terminal; two on one property get each other's values.
    @inlinable
    public func terminal() -> ChannelTerminal<Value, Never> {
        ChannelTerminal(PropertyTerminal(self.core).port(outward: { $0 }, inward: { $0 }), keeping: nil)
    }

    /// A terminal on this property for a side that may have no value.
    ///
    /// The sender of nil does not get the replacement. Semantics: docs/semantics.md, terminal-6.
    ///
    /// - Parameter replacement: The value that nil sets.
    /// - Returns: As ``terminal()``.
    @inlinable
    public func terminal(whenNil replacement: Value) -> ChannelTerminal<Value?, Never> {
        let terminal = PropertyTerminal(self.core)
        return ChannelTerminal(terminal.port(outward: { $0 }, inward: { $0 ?? replacement }), keeping: nil)
    }
}

/// The identity of one terminal on a property, and whether it has ended.
@usableFromInline
final class PropertyTerminal<Stored: Sendable, Failure: Error>: Sendable {
    @usableFromInline let core: ChangeCore<Stored, Failure>
    @usableFromInline let number = SerialNumber.next()
    @usableFromInline let isOver = Atomic(false)
    @usableFromInline let upstreams: Subscription
    /// Held by the terminal, its observers and its bindings; nil if the core works without.
    @usableFromInline let holder: (any AnyObject & Sendable)?
    @usableFromInline let remoteness: Remoteness?

    @inlinable
    init(
        _ core: ChangeCore<Stored, Failure>,
        holding holder: (any AnyObject & Sendable)? = nil,
        _ remoteness: Remoteness? = nil
    ) {
        self.core = core
        self.upstreams = Subscription(in: core.upstreams)
        self.holder = holder
        self.remoteness = remoteness
    }

    deinit {
        // The property forgets it.
        self.upstreams.dispose()
    }

    @inlinable
    var isOpen: Bool {
        !self.isOver.load(ordering: .acquiring) && self.upstreams.isOpen
    }

    /// The port of this terminal, for values of another form than the stored ones.
    @inlinable
    func port<Value>(
        outward: @escaping @Sendable (Stored) -> Value,
        inward: @escaping @Sendable (Value) -> Stored
    ) -> TerminalPort<Value, Failure> {
        TerminalPort(
            send: { if self.isOpen { self.core.send(inward($0), origin: self.number) } },
            take: { if self.isOpen { self.core.adopt($0.map(inward), origin: self.number) } },
            end: { _ in self.end() },
            add: { self.add($0, outward: outward, replaying: $1) },
            upstreams: self.upstreams,
            // A remote property has no owner here: its end is an end that a program sent.
            isOver: { self.remoteness != nil || self.isOver.load(ordering: .acquiring) },
            remoteness: self.remoteness,
            tied: self.remoteness == nil
                ? TiedProperty(tie: { [core] in core.tie($0) }, outlive: { [core] in core.outlive($0) }) : nil
        )
    }

    @inlinable
    func end() {
        guard !self.isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        self.core.end(terminal: self.number, closing: self.upstreams)
    }

    @inlinable
    func add<Value>(
        _ sink: Sink<Change<Value>, Failure>,
        outward: @escaping @Sendable (Stored) -> Value,
        replaying replay: Replay
    ) {
        guard self.isOpen else { return sink.end(self.core.ending ?? .completed) }
        sink.subscription.hold(self.holder)
        let changes = Sink<Change<Stored>, Failure>(
            sink.subscription,
            value: { sink.send($0.map(outward)) },
            end: sink.finish
        )
        self.core.add(changes, terminal: self.number, replaying: replay)
        // It may have ended since the check above.
        if !self.isOpen { self.core.end(terminal: self.number, closing: self.upstreams) }
    }
}

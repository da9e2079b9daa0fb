/// One end of something that carries values both ways: what is sent into it comes out elsewhere, never here.
///
/// It has any number of observers. A terminal that is held keeps its channel alive, but never the property that it
/// stands for; what observes its ``signal`` keeps neither. Isolation: any thread; a value that is sent while another is
/// being told in the same direction waits its turn. Terminals come from ``TwoWayChannel``, ``Property/terminal()`` and
/// ``Property/terminal(whenNil:)``. Semantics: docs/semantics.md, channel-1 to channel-11, binding-1 to binding-9.
/// ReactiveObjC: RACChannelTerminal.
public final class ChannelTerminal<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    @usableFromInline package let port: TerminalPort<Value, Failure>
    /// What goes away with the last terminal, or nil.
    private let owner: (any AnyObject & Sendable)?

    /// Makes a terminal of what it does.
    ///
    /// - Parameters:
    ///   - port: Works for as long as what is behind it.
    ///   - owner: Kept for as long as this object.
    @usableFromInline
    package init(_ port: TerminalPort<Value, Failure>, keeping owner: (any AnyObject & Sendable)?) {
        self.port = port
        self.owner = owner
    }

    /// What comes out here: the value that is kept, if any, then what is sent from elsewhere, and the end.
    @inlinable
    public var signal: Signal<Value, Failure> {
        Signal(serial: { [add = self.port.add] sink in
            let changes = Sink<Change<Value>, Failure>(
                sink.subscription,
                value: { change in
                    if !change.isRenewal { sink.send(change.value) }
                },
                end: sink.finish
            )
            add(changes, .present)
        })
    }

    /// Sends a value, which does not come out here; nothing happens after the end.
    ///
    /// - Parameter value: What comes out elsewhere; a property has it before this returns.
    @inlinable
    public func send(_ value: Value) {
        self.port.send(value)
    }

    /// Ends it for everyone on either side, now or later; only the first end counts.
    ///
    /// A property whose terminal ends lives on.
    ///
    /// - Parameter ending: What the observers are told.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.port.end(ending)
    }

    /// Sends everything that a signal says into this terminal, which ends with the first of its sources to end.
    ///
    /// - Parameter source: Observed at once; let go when the terminal has ended or gone away.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, Failure>) -> Subscription {
        let port = self.port
        return source.signal.start(in: port.upstreams, value: port.send, end: port.end)
    }

    /// Sends everything that comes out of another terminal into this one, beginning with the value that is kept there.
    ///
    /// This is one half of a binding: rings that are closed by hand come to rest too (binding-4).
    ///
    /// - Parameter source: Its end ends this terminal.
    /// - Returns: The handle that stops this source alone.
    @discardableResult
    public func subscribe(to source: ChannelTerminal<Value, Failure>) -> Subscription {
        let binding = Subscription(in: self.port.upstreams)
        source.port.pass(into: self.port, under: binding, replaying: .renewed)
        return binding
    }
}

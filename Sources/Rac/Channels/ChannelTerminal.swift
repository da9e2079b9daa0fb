/// One end of a two-way connection: a value that is sent into it comes out elsewhere, never here.
///
/// It has any number of observers. A held terminal keeps its channel alive, but never its property; observing its
/// ``signal`` keeps neither. Isolation: any thread; a value that is sent during a notification in the same direction
/// queues. Terminals come from ``TwoWayChannel``, ``Property/terminal()`` and ``Property/terminal(whenNil:)``.
/// Semantics: docs/semantics.md, channel-1 to channel-11, binding-1 to binding-9. ReactiveObjC: RACChannelTerminal.
public final class ChannelTerminal<Value: Sendable, Failure: Error>: EventReceiver, SignalSource {
    @usableFromInline package let port: TerminalPort<Value, Failure>
    /// Released with the last terminal; nil if nothing is.
    private let owner: (any AnyObject & Sendable)?

    /// Makes a terminal of a port.
    ///
    /// - Parameters:
    ///   - port: Works as long as the object behind it.
    ///   - owner: Kept as long as this object.
    @usableFromInline
    package init(_ port: TerminalPort<Value, Failure>, keeping owner: (any AnyObject & Sendable)?) {
        self.port = port
        self.owner = owner
    }

    /// The events that come out here: the stored value, if any, then the values that are sent elsewhere, and the end.
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

    /// Sends a value, which does not come out here; does nothing after the end.
    ///
    /// - Parameter value: Comes out elsewhere; a property has it before this returns.
    @inlinable
    public func send(_ value: Value) {
        self.port.send(value)
    }

    /// Ends it for present and later observers on either side; only the first end counts.
    ///
    /// A property whose terminal ends lives on.
    ///
    /// - Parameter ending: The end that they get.
    @inlinable
    public func end(_ ending: Ending<Failure>) {
        self.port.end(ending)
    }

    /// Sends all events of a signal into this terminal, which ends with the first of its sources to end.
    ///
    /// - Parameter source: Observed at once; its subscription is disposed when the terminal has ended or is released.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, Failure>) -> Subscription {
        let port = self.port
        return source.signal.start(in: port.upstreams, value: port.send, end: port.end)
    }

    /// Sends all events that come out of another terminal into this one, beginning with its stored value.
    ///
    /// This is one half of a binding: rings that are closed by hand come to rest, too. Semantics: docs/semantics.md,
    /// binding-4.
    ///
    /// - Parameter source: Its end ends this terminal.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func subscribe(to source: ChannelTerminal<Value, Failure>) -> Subscription {
        let binding = Subscription(in: self.port.upstreams)
        let port = self.port
        source.port.pass(into: port, under: binding, replaying: .renewed) { port.end($0.carried()) }
        return binding
    }
}

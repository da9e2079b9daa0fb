public import Rac

extension RemoteProperty: EventReceiver {
    /// Sets the property to each value of a signal, until its end, which leaves the channel as it is.
    ///
    /// - Parameter source: Observed at once; the binding keeps the channel bound until the source ends.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @discardableResult
    public func bind<Failure>(to source: some SignalSource<Value, Failure>) -> Subscription {
        source.signal.observe(value: { [handle] in handle.send($0) }, end: { _ in })
    }

    /// Sends all events of a signal into this property, whose channel ends with the signal, for everybody.
    ///
    /// - Parameter source: Observed at once; the channel stays bound until its end.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, ClientError>) -> Subscription {
        source.signal.observe(value: { [handle] in handle.send($0) }, end: { [handle] in handle.end($0) })
    }
}

extension RemoteTerminal {
    /// Sends each value of a signal to the other side, until its end, which leaves the channel as it is.
    ///
    /// - Parameter source: Observed at once; the binding keeps the channel bound until the source ends.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @discardableResult
    public func bind<Failure>(to source: some SignalSource<Value, Failure>) -> Subscription {
        source.signal.observe(value: { self.send($0) }, end: { _ in })
    }

    /// Sends all events of a signal into this side, whose channel ends with the signal, for everybody.
    ///
    /// - Parameter source: Observed at once; the channel stays bound until its end.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @discardableResult
    public func subscribe(to source: some SignalSource<Value, ClientError>) -> Subscription {
        source.signal.observe(value: { self.send($0) }, end: { self.end($0) })
    }
}

// A signal such as `Signal.just(1)`, whose failure type nothing else decides, cannot fail: then the core's form is meant.

extension SignalSource where Failure == ClientError {
    /// Calls a handler with each value of a remote source, until it ends, however it ends.
    ///
    /// Of a remote property, the current value comes first. The end is heard by `observe(value:end:)`.
    ///
    /// - Parameter handler: Runs on the client's event loop, or where this program sets the value.
    /// - Returns: The handle that stops it; releasing it does nothing.
    @_disfavoredOverload
    @discardableResult
    public func onValue(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
        self.signal.observe(value: handler, end: { _ in })
    }
}

extension Signal where Failure == ClientError {
    /// This signal, completing where it fails.
    var unfailing: Signal<Value, Never> {
        Signal<Value, Never> { sink -> Subscription in
            self.observe(value: { sink.send($0) }, end: { _ in sink.complete() })
        }
    }
}

// Each operator has two forms: a signal such as `Signal.just(1)`, whose failure type nothing else decides, cannot fail.

/// Sets a remote property to each value of a signal that cannot fail; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - property: The property.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~ <Value>(property: RemoteProperty<Value>, source: some SignalSource<Value, Never>) -> Subscription {
    property.bind(to: source)
}

/// Sets a remote property to each value of a signal; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - property: The property.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@_disfavoredOverload
@discardableResult
public func <~ <Value, Failure>(
    property: RemoteProperty<Value>,
    source: some SignalSource<Value, Failure>
) -> Subscription {
    property.bind(to: source)
}

/// Sends each value of a signal that cannot fail to the other side; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - terminal: One side of a paired channel.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~ <Value>(terminal: RemoteTerminal<Value>, source: some SignalSource<Value, Never>) -> Subscription {
    terminal.bind(to: source)
}

/// Sends each value of a signal to the other side; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - terminal: One side of a paired channel.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@_disfavoredOverload
@discardableResult
public func <~ <Value, Failure>(
    terminal: RemoteTerminal<Value>,
    source: some SignalSource<Value, Failure>
) -> Subscription {
    terminal.bind(to: source)
}

/// Sends each value of a signal that cannot fail to the other side; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - terminal: One side of a paired channel with a type for each direction.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~ <Sent, Received>(
    terminal: PairedTerminal<Sent, Received>,
    source: some SignalSource<Sent, Never>
) -> Subscription {
    terminal.bind(to: source)
}

/// Sends each value of a signal to the other side; the signal's end leaves the channel as it is.
///
/// - Parameters:
///   - terminal: One side of a paired channel with a type for each direction.
///   - source: The signal of the values.
/// - Returns: The handle that undoes it.
@_disfavoredOverload
@discardableResult
public func <~ <Sent, Received, Failure>(
    terminal: PairedTerminal<Sent, Received>,
    source: some SignalSource<Sent, Failure>
) -> Subscription {
    terminal.bind(to: source)
}

/// Sets a local property to each value of a remote source, until it ends, however it ends.
///
/// - Parameters:
///   - property: The property, which keeps the last value.
///   - source: A remote property or terminal, or a signal of one.
/// - Returns: The handle that undoes it.
@_disfavoredOverload
@discardableResult
public func <~ <Value>(property: Property<Value>, source: some SignalSource<Value, ClientError>) -> Subscription {
    property.bind(to: source.signal.unfailing)
}

/// Sets a local property that may have no value to each value of a remote source, until it ends, however it ends.
///
///     let degrees = Property<Double?>(nil)
///     degrees <~ panel
///
/// - Parameters:
///   - property: The property, which keeps the last value.
///   - source: A remote property or terminal, or a signal of one.
/// - Returns: The handle that undoes it.
@_disfavoredOverload
@discardableResult
public func <~ <Value>(property: Property<Value?>, source: some SignalSource<Value, ClientError>) -> Subscription {
    property.bind(to: source.signal.unfailing)
}

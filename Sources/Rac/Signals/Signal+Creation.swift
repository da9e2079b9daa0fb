extension Signal {
    /// Makes a signal that sends the elements of a sequence and completes, before observing returns.
    ///
    /// An infinite sequence is fine if an operator downstream ends, as ``take(_:)`` does.
    ///
    /// - Parameter values: The sequence. Each observer iterates it anew, as far as it listens.
    @inlinable
    public init<Values: Sequence & Sendable>(values: Values) where Values.Element == Value {
        self.init(serial: { sink in
            for value in values {
                if sink.isClosed { return }
                sink.send(value)
            }
            sink.complete()
        })
    }

    /// A signal that sends one value and completes, before observing returns.
    ///
    /// - Parameter value: The value.
    /// - Returns: `[value, done]`.
    @inlinable
    public static func just(_ value: Value) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            sink.send(value)
            sink.complete()
        })
    }

    /// A signal that completes without a value, before observing returns.
    @inlinable
    public static var empty: Signal<Value, Failure> {
        Signal(serial: { $0.complete() })
    }

    /// A signal that never sends an event; its subscriptions are over at once.
    @inlinable
    public static var never: Signal<Value, Failure> {
        Signal(serial: { _ in })
    }

    /// A signal that fails, before observing returns.
    ///
    /// - Parameter failure: The failure that observers get.
    /// - Returns: `[fail]`.
    @inlinable
    public static func fail(_ failure: Failure) -> Signal<Value, Failure> {
        Signal(serial: { $0.fail(failure) })
    }

    /// A signal that is made anew for each observer.
    ///
    /// - Parameter factory: Runs once per observer; the result passes on its signal's events.
    /// - Returns: A cold signal, even over a hot source.
    @inlinable
    public static func deferred(_ factory: @escaping @Sendable () -> Signal<Value, Failure>) -> Signal<Value, Failure> {
        Signal(serial: { factory().body($0) })
    }
}

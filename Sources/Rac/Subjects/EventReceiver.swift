/// An object into which a program sends events: a subject, a terminal of a channel.
public protocol EventReceiver<Value, Failure>: AnyObject, Sendable {
    /// The type of the values.
    associatedtype Value: Sendable
    /// The type of a failure; `Never` if there is none.
    associatedtype Failure: Error

    /// Sends a value to the observers.
    ///
    /// - Parameter value: The value.
    func send(_ value: Value)

    /// Ends it for present and later observers; only the first end counts.
    ///
    /// - Parameter ending: The end that they get.
    func end(_ ending: Ending<Failure>)
}

extension EventReceiver {
    /// Ends it with a failure, unless it has ended before.
    ///
    /// - Parameter failure: The failure that the observers get.
    @inlinable
    public func fail(_ failure: Failure) {
        self.end(.failed(failure))
    }

    /// Ends it as planned, unless it has ended before.
    @inlinable
    public func complete() {
        self.end(.completed)
    }

    /// Sends an event that exists as a value.
    ///
    /// - Parameter event: A value or an end.
    @inlinable
    public func forward(_ event: Event<Value, Failure>) {
        switch event {
        case .value(let value): self.send(value)
        case .failed(let failure): self.end(.failed(failure))
        case .completed: self.end(.completed)
        }
    }

    /// Passes all events of `signal` into this receiver, which it does not keep alive.
    ///
    /// - Parameters:
    ///   - signal: The source; its end ends the receiver.
    ///   - upstreams: The receiver's sources, disposed when it ends or goes away.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    func feed(from signal: Signal<Value, Failure>, upstreams: Subscription) -> Subscription {
        signal.start(
            in: upstreams,
            value: { [weak self] in self?.send($0) },
            end: { [weak self] in self?.end($0) }
        )
    }
}

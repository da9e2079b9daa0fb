/// Something that events are sent into by hand: a subject, a terminal of a channel.
public protocol EventReceiver<Value, Failure>: AnyObject, Sendable {
    /// What it takes.
    associatedtype Value: Sendable
    /// How it can be failed; `Never` if it cannot.
    associatedtype Failure: Error

    /// Sends a value to whoever observes.
    ///
    /// - Parameter value: What to send.
    func send(_ value: Value)

    /// Ends it for whoever observes now or later; only the first end counts.
    ///
    /// - Parameter ending: What they are told.
    func end(_ ending: Ending<Failure>)
}

extension EventReceiver {
    /// Ends it with a failure, unless it has ended before.
    ///
    /// - Parameter failure: What the observers are told.
    @inlinable
    public func fail(_ failure: Failure) {
        self.end(.failed(failure))
    }

    /// Ends it as planned, unless it has ended before.
    @inlinable
    public func complete() {
        self.end(.completed)
    }

    /// Sends an event that is at hand as a value.
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

    /// Passes everything that `signal` says into this receiver, which it does not keep alive.
    ///
    /// - Parameters:
    ///   - signal: The source; its end ends the receiver.
    ///   - upstreams: The receiver's sources, to be disposed when it ends or goes away.
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

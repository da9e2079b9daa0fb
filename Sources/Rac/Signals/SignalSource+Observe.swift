extension SignalSource {
    /// Runs the signal and passes each event to one closure.
    ///
    /// - Parameter handler: Gets the events one at a time, on the sending thread.
    /// - Returns: The handle that stops the run; releasing it does not.
    @inlinable
    @discardableResult
    public func observe(_ handler: @escaping @Sendable (Event<Value, Failure>) -> Void) -> Subscription {
        self.signal.start(Subscription(), value: { handler(.value($0)) }, end: { handler(Event($0)) })
    }

    /// Runs the signal and passes values and the end to a closure each.
    ///
    /// - Parameters:
    ///   - value: Gets the values one at a time, on the sending thread.
    ///   - end: Gets the end, at most once and last.
    /// - Returns: The handle that stops the run; releasing it does not.
    @inlinable
    @discardableResult
    public func observe(
        value: @escaping @Sendable (Value) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> Subscription {
        self.signal.start(Subscription(), value: value, end: end)
    }

    /// Runs the signal into the sink of another one, which ends with it.
    ///
    /// The subscription belongs to the sink's subscription and is disposed with it at the latest, without a teardown.
    /// Semantics: docs/semantics.md, signal-7.
    ///
    /// - Parameter sink: Gets each event.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func observe(into sink: Sink<Value, Failure>) -> Subscription {
        self.signal.start(in: sink.subscription, value: { sink.send($0) }, end: { sink.end($0) })
    }
}

extension SignalSource where Failure == Never {
    /// Runs a signal that cannot fail and passes its values to a closure.
    ///
    /// A signal that can fail needs a handler of its failure, or an operator that catches it.
    ///
    /// - Parameter handler: Gets the values one at a time, on the sending thread.
    /// - Returns: The handle that stops the run; releasing it does not.
    @inlinable
    @discardableResult
    public func onValue(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
        self.signal.start(Subscription(), value: handler, end: { _ in })
    }
}

extension Signal {
    /// Runs the signal under a given subscription.
    @inlinable
    @discardableResult
    func start(
        _ subscription: Subscription,
        value: @escaping @Sendable (Value) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> Subscription {
        if subscription.isOpen {
            self.body(Sink(subscription, value: value, end: end))
        }
        return subscription
    }

    /// Runs the signal as a source of an operator, under its own subscription, which ends with `parent` at the latest.
    ///
    /// The end of the source is not the end of `parent`: `end` decides.
    @inlinable
    @discardableResult
    func start(
        in parent: Subscription,
        value: @escaping @Sendable (Value) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> Subscription {
        self.start(Subscription(in: parent), value: value, end: end)
    }

    /// An operator that changes only values.
    ///
    /// It ends when its source does, or earlier by ending its sink.
    ///
    /// It shares its observer's subscription, so it costs one call per value.
    ///
    /// - Parameter stage: Runs once per subscription, with the observer's sink. Its result gets the source's values.
    /// - Returns: A signal of the values that the stages send.
    @inlinable
    func lift<Output>(
        _ stage: @escaping @Sendable (Sink<Output, Failure>) -> @Sendable (Value) -> Void
    ) -> Signal<Output, Failure> {
        Signal<Output, Failure>(serial: { sink in
            self.body(Sink(sink.subscription, value: stage(sink), end: sink.finish))
        })
    }
}

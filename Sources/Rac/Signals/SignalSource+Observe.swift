extension SignalSource {
    /// Runs the signal and hands every event to one closure.
    ///
    /// - Parameter handler: Hears the events one at a time, on the thread that sends them.
    /// - Returns: The handle that stops it; letting go of it does not.
    @inlinable
    @discardableResult
    public func observe(_ handler: @escaping @Sendable (Event<Value, Failure>) -> Void) -> Subscription {
        self.signal.start(Subscription(), value: { handler(.value($0)) }, end: { handler(Event($0)) })
    }

    /// Runs the signal and hands values and the end to closures of their own.
    ///
    /// - Parameters:
    ///   - value: Hears the values one at a time, on the thread that sends them.
    ///   - end: Hears how the signal ended, at most once and last.
    /// - Returns: The handle that stops it; letting go of it does not.
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
    /// The subscription belongs to that of the sink: it is disposed with it at the latest, without a teardown
    /// (signal-7).
    ///
    /// - Parameter sink: Gets every event.
    /// - Returns: The handle that stops this source alone.
    @inlinable
    @discardableResult
    public func observe(into sink: Sink<Value, Failure>) -> Subscription {
        self.signal.start(in: sink.subscription, value: { sink.send($0) }, end: { sink.end($0) })
    }
}

extension SignalSource where Failure == Never {
    /// Runs a signal that cannot fail and hands its values to a closure.
    ///
    /// A signal that can fail is observed with its failure, or made unfailing first.
    ///
    /// - Parameter handler: Hears the values one at a time, on the thread that sends them.
    /// - Returns: The handle that stops it; letting go of it does not.
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

    /// Runs the signal as a source of an operator, under a subscription of its own that ends with `parent` at the latest.
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

    /// An operator that changes values only and ends exactly when its source does, or earlier by ending its sink.
    ///
    /// It shares the subscription of its observer, so it costs a call per value and nothing else.
    ///
    /// - Parameter stage: Runs once per subscription, with the observer's sink; what it returns gets the source's values.
    /// - Returns: A signal of what the stages send.
    @inlinable
    func lift<Output>(
        _ stage: @escaping @Sendable (Sink<Output, Failure>) -> @Sendable (Value) -> Void
    ) -> Signal<Output, Failure> {
        Signal<Output, Failure>(serial: { sink in
            self.body(Sink(sink.subscription, value: stage(sink), end: sink.finish))
        })
    }
}

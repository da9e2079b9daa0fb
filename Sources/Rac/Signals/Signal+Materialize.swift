extension Signal {
    /// The events of this signal as values.
    ///
    /// The end arrives as a value, too; then the result completes, also after a failure. Semantics: docs/semantics.md,
    /// event-2.
    ///
    /// - Returns: A signal that cannot fail.
    @inlinable
    public func materialize() -> Signal<Event<Value, Failure>, Never> {
        Signal<Event<Value, Failure>, Never>(serial: { sink in
            self.start(
                in: sink.subscription,
                value: { sink.send(.value($0)) },
                end: {
                    sink.send(Event($0))
                    sink.complete()
                }
            )
        })
    }

    /// Turns values that are events back into events; the inverse of ``materialize()``.
    ///
    /// The first end among them ends the result and cancels the source. A source that completes without one completes
    /// the result. Semantics: docs/semantics.md, event-3.
    ///
    /// - Returns: A signal of those events.
    @inlinable
    public func dematerialize<Inner, InnerFailure>() -> Signal<Inner, InnerFailure>
    where Value == Event<Inner, InnerFailure>, Failure == Never {
        Signal<Inner, InnerFailure>(serial: { sink in
            self.start(in: sink.subscription, value: { sink.forward($0) }, end: { _ in sink.complete() })
        })
    }
}

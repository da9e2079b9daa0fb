extension Signal {
    /// Goes on with another signal after a failure.
    ///
    /// Values and completion pass. A failure of the other signal is not caught again. Disposal reaches the active one.
    /// Semantics: docs/semantics.md, C102. ReactiveObjC: RACSignal catch:.
    ///
    /// - Parameter handler: Called with the failure, if one comes; its result is observed then.
    /// - Returns: A signal that fails as the other one does; if that is `Never`, it cannot fail.
    @inlinable
    public func `catch`<NewFailure>(
        _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
    ) -> Signal<Value, NewFailure> {
        Signal<Value, NewFailure>(serial: { sink in
            self.start(
                in: sink.subscription,
                value: { sink.send($0) },
                end: { ending in
                    switch ending {
                    case .completed: sink.complete()
                    case .failed(let failure): handler(failure).body(sink)
                    }
                }
            )
        })
    }

    /// Goes on with another signal after any failure.
    ///
    /// With `.empty` a failure becomes completion. Semantics: docs/semantics.md, C103. ReactiveObjC: RACSignal
    /// catchTo:.
    ///
    /// - Parameter replacement: Observed after a failure.
    /// - Returns: A signal that fails as the replacement does.
    @inlinable
    public func `catch`<NewFailure>(to replacement: Signal<Value, NewFailure>) -> Signal<Value, NewFailure> {
        self.catch { _ in replacement }
    }

    /// Sends a value in place of a failure, and completes.
    ///
    /// Values and completion pass. Semantics: docs/semantics.md, C407. Combine: replaceError(with:).
    ///
    /// - Parameter value: Sent to each observer for whom the source fails.
    /// - Returns: A signal that cannot fail.
    @inlinable
    public func replaceError(with value: Value) -> Signal<Value, Never> {
        self.catch { _ in .just(value) }
    }

    /// Translates a failure into another type.
    ///
    /// Values and completion pass.
    ///
    /// - Parameter transform: Called with the failure, if one comes.
    /// - Returns: The source's values with another type of failure.
    @inlinable
    public func mapFailure<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Signal<Value, NewFailure> {
        Signal<Value, NewFailure>(serial: { sink in
            self.body(
                Sink(sink.subscription, value: { sink.send($0) }) { ending in
                    switch ending {
                    case .completed: sink.finish(.completed)
                    case .failed(let failure): sink.finish(.failed(transform(failure)))
                    }
                }
            )
        })
    }
}

extension Signal where Failure == Never {
    /// Gives a signal that cannot fail a type of failure, so that it fits signals that can.
    ///
    /// - Parameter type: The other signals' type of failure.
    /// - Returns: The source's events, unchanged.
    @inlinable
    public func setFailureType<NewFailure>(to type: NewFailure.Type) -> Signal<Value, NewFailure> {
        Signal<Value, NewFailure>(serial: { sink in
            self.body(Sink(sink.subscription, value: { sink.send($0) }, end: { _ in sink.finish(.completed) }))
        })
    }
}

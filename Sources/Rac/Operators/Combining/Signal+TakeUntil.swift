extension Signal {
    /// Passes all events on until another signal sends a value or completes; then completes and cancels the source.
    ///
    /// The trigger is observed first. If it sends a value or completes then, the source is never observed and `[done]`
    /// comes. A failure of the trigger is ignored, so the source goes on to its own end. Semantics: docs/semantics.md,
    /// C078, C079. ReactiveObjC: RACSignal takeUntil:.
    ///
    /// - Parameter trigger: Ends the result by a value or by completing.
    /// - Returns: A prefix of the source.
    @inlinable
    public func take(until trigger: some SignalSource) -> Signal<Value, Failure> {
        let trigger = trigger.signal
        return Signal(serial: { sink in
            let join = sink.serialized()
            trigger.start(
                in: join.subscription,
                value: { _ in join.complete() },
                end: { ending in
                    if case .completed = ending { join.complete() }
                }
            )
            if !join.isClosed { self.body(join) }
        })
    }

    /// Passes all events on until another signal sends one, and from then on those of the other signal.
    ///
    /// The replacement is observed first. Its first event cancels the source, also if it is its end. Until then a
    /// failure of the source ends the result; its completion does not. Semantics: docs/semantics.md, C082.
    /// ReactiveObjC: RACSignal takeUntilReplacement:.
    ///
    /// - Parameter replacement: Takes over for good.
    /// - Returns: A prefix of the source, then the replacement.
    @inlinable
    public func take(
        untilReplacedBy replacement: some SignalSource<Value, Failure>
    ) -> Signal<Value, Failure> {
        let replacement = replacement.signal
        return Signal(serial: { sink in
            Replacement(sink: sink).run(self, replacement)
        })
    }
}

/// One subscription to a signal that another one may replace.
///
/// Guards: `isReplaced` is touched inside `gate` only.
@usableFromInline
final class Replacement<Value: Sendable, Failure: Error>: Junction {
    @usableFromInline
    enum Step: Sendable {
        case original(Event<Value, Failure>)
        case replacement(Event<Value, Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var isReplaced = false
    @usableFromInline let sink: Sink<Value, Failure>
    @usableFromInline let original: Subscription

    @inlinable
    init(sink: Sink<Value, Failure>) {
        self.sink = sink
        self.original = Subscription(in: sink.subscription)
    }

    @inlinable
    func run(_ original: Signal<Value, Failure>, _ replacement: Signal<Value, Failure>) {
        replacement.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.replacement(.value($0))) },
            end: { self.takeInTurn(.replacement(Event($0))) }
        )
        original.start(
            self.original,
            value: { self.takeInTurn(.original(.value($0))) },
            end: { self.takeInTurn(.original(Event($0))) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .replacement(let event):
            self.isReplaced = true
            self.original.dispose()
            self.sink.forward(event)
        case .original(.completed):
            break
        case .original(let event):
            if !self.isReplaced { self.sink.forward(event) }
        }
    }
}

extension Signal {
    /// Gathers the values of each window of time in an array.
    ///
    /// A window begins with a value, not with the end of another window, so no array is empty. Completion sends the
    /// gathered values first; a failure and disposal drop them. Empty `[done]`. Semantics: docs/semantics.md, C118 to
    /// C120. ReactiveObjC: RACSignal bufferWithTime:onScheduler:.
    ///
    /// - Parameters:
    ///   - window: The time in which values are gathered, without bound.
    ///   - scheduler: Delivers the arrays, except the one that completion sends.
    /// - Returns: One array per window.
    @inlinable
    public func collect(every window: Duration, on scheduler: some TimedScheduler) -> Signal<[Value], Failure> {
        Signal<[Value], Failure>(serial: { sink in
            let alarm = Alarm(on: scheduler, in: sink.subscription)
            WindowedCollection(window: window, alarm: alarm, sink: sink).run(self)
        })
    }
}

/// One subscription to the arrays of gathered values.
///
/// Guards: `gathered` is touched inside `gate` only.
@usableFromInline
final class WindowedCollection<Value: Sendable, Failure: Error, Clock: TimedScheduler>: TimedJunction {
    @usableFromInline let gate = SerialGate<TimedStep<Value, Failure>>()
    @usableFromInline nonisolated(unsafe) var gathered: [Value] = []
    @usableFromInline let window: Duration
    @usableFromInline let alarm: Alarm<Clock>
    @usableFromInline let sink: Sink<[Value], Failure>

    @inlinable
    init(window: Duration, alarm: Alarm<Clock>, sink: Sink<[Value], Failure>) {
        self.window = window
        self.alarm = alarm
        self.sink = sink
    }

    @inlinable
    func take(_ step: TimedStep<Value, Failure>) {
        switch step {
        case .value(let value):
            guard !self.sink.isClosed else { return }
            self.gathered.append(value)
            if self.gathered.count == 1 { self.setAlarm(after: self.window) }
        case .due:
            self.flush()
        case .ended(let ending):
            if case .completed = ending { self.flush() }
            self.sink.end(ending)
        }
    }

    @inlinable
    func flush() {
        guard !self.gathered.isEmpty else { return }
        let gathered = self.gathered
        self.gathered = []
        self.sink.send(gathered)
    }
}

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
        self.collect(every: window, atMost: .max, on: scheduler)
    }

    /// Gathers the values of each window of time in an array, which also ends when it is full.
    ///
    /// A full array leaves on the sending thread, and the next value begins a new window. Otherwise it works like the
    /// function without a limit. Semantics: docs/semantics.md, C406. Combine: collect(.byTimeOrCount). RxSwift: buffer.
    ///
    /// - Parameters:
    ///   - window: The time in which values are gathered.
    ///   - count: The number of values in a full array, 1 or more.
    ///   - scheduler: Delivers the arrays that are not full, except the one that completion sends.
    /// - Returns: One array per window, none of them empty.
    @inlinable
    public func collect(
        every window: Duration,
        atMost count: Int,
        on scheduler: some TimedScheduler
    ) -> Signal<[Value], Failure> {
        precondition(count > 0, "An array of gathered values needs room for at least one.")
        return Signal<[Value], Failure>(serial: { sink in
            let alarm = Alarm(on: scheduler, in: sink.subscription)
            WindowedCollection(window: window, limit: count, alarm: alarm, sink: sink).run(self)
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
    @usableFromInline let limit: Int
    @usableFromInline let alarm: Alarm<Clock>
    @usableFromInline let sink: Sink<[Value], Failure>

    @inlinable
    init(window: Duration, limit: Int, alarm: Alarm<Clock>, sink: Sink<[Value], Failure>) {
        self.window = window
        self.limit = limit
        self.alarm = alarm
        self.sink = sink
    }

    @inlinable
    func take(_ step: TimedStep<Value, Failure>) {
        switch step {
        case .value(let value):
            guard !self.sink.isClosed else { return }
            self.gathered.append(value)
            if self.gathered.count == self.limit {
                self.alarm.cancel()
                self.flush()
            } else if self.gathered.count == 1 {
                self.setAlarm(after: self.window)
            }
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

extension Signal {
    /// Passes values and completion on later.
    ///
    /// A failure is not delayed: it overtakes waiting values, which are dropped. Empty `[done]`, later. Disposal drops
    /// waiting events. Semantics: docs/semantics.md, C110, C112. ReactiveObjC: RACSignal delay:.
    ///
    /// - Parameters:
    ///   - interval: The delay; values wait without bound.
    ///   - scheduler: Delivers the delayed events.
    /// - Returns: The source's values, in order.
    @inlinable
    public func delay(by interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            Delay(interval: interval, alarm: Alarm(on: scheduler, in: sink.subscription), sink: sink).run(self)
        })
    }
}

/// One subscription to a delayed signal, with one piece of scheduled work at a time, for the next event.
///
/// Guards: `waiting` is touched inside `gate` only.
@usableFromInline
final class Delay<Value: Sendable, Failure: Error, Clock: TimedScheduler>: TimedJunction {
    @usableFromInline let gate = SerialGate<TimedStep<Value, Failure>>()
    @usableFromInline nonisolated(unsafe) var waiting = Fifo<(due: Duration, event: Event<Value, Failure>)>()
    @usableFromInline let interval: Duration
    @usableFromInline let alarm: Alarm<Clock>
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(interval: Duration, alarm: Alarm<Clock>, sink: Sink<Value, Failure>) {
        self.interval = interval
        self.alarm = alarm
        self.sink = sink
    }

    @inlinable
    func take(_ step: TimedStep<Value, Failure>) {
        switch step {
        case .value(let value):
            self.wait(.value(value))
        case .due:
            guard let first = self.waiting.popFirst() else { return }
            self.sink.forward(first.event)
            if let next = self.waiting.first, !self.sink.isClosed { self.setAlarm(after: next.due - self.alarm.now) }
        case .ended(.completed):
            self.wait(.completed)
        case .ended(.failed(let failure)):
            self.sink.fail(failure)
        }
    }

    @inlinable
    func wait(_ event: Event<Value, Failure>) {
        guard !self.sink.isClosed else { return }
        self.waiting.append((self.alarm.now + self.interval, event))
        if self.waiting.count == 1 { self.setAlarm(after: self.interval) }
    }
}

extension Signal {
    /// Passes at most one value on per interval: the first at once, then the newest at the end of each interval.
    ///
    /// During an interval the newest value is held. Completion sends the held value first; a failure and disposal drop
    /// it. Empty `[done]`. Semantics: docs/semantics.md, operator-10. ReactiveSwift: throttle. ReactiveObjC: RACSignal
    /// throttle: is ``debounce(for:on:)``.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values.
    ///   - scheduler: Delivers held values; the others pass on the sending thread.
    /// - Returns: Fewer values, among them the last one.
    @inlinable
    public func throttle(for interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let alarm = Alarm(on: scheduler, in: sink.subscription)
            Throttle(interval: interval, alarm: alarm, sink: sink).run(self)
        })
    }
}

/// One subscription to a throttled signal.
///
/// Guards: `held` and `isWaiting` are touched inside `gate` only.
@usableFromInline
final class Throttle<Value: Sendable, Failure: Error, Clock: TimedScheduler>: TimedJunction {
    @usableFromInline let gate = SerialGate<TimedStep<Value, Failure>>()
    @usableFromInline nonisolated(unsafe) var held: Value?
    /// Whether the interval after a value is still running.
    @usableFromInline nonisolated(unsafe) var isWaiting = false
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
            if self.isWaiting { self.held = value } else { self.pass(value) }
        case .due:
            self.isWaiting = false
            self.passHeld()
        case .ended(let ending):
            if case .completed = ending, let held = self.held { self.sink.send(held) }
            self.sink.end(ending)
        }
    }

    @inlinable
    func passHeld() {
        guard let held = self.held else { return }
        self.held = nil
        self.pass(held)
    }

    @inlinable
    func pass(_ value: Value) {
        self.isWaiting = true
        self.sink.send(value)
        if !self.sink.isClosed { self.setAlarm(after: self.interval) }
    }
}

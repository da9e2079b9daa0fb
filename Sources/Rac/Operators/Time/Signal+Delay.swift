extension Signal {
    /// Passes values and completion on later.
    ///
    /// A failure is not delayed: it overtakes what is waiting, which is dropped. Empty `[done]`, later. Disposal drops what
    /// is waiting. Semantics: C110, C112, RACSignal delay:.
    ///
    /// - Parameters:
    ///   - interval: How much later; values wait without bound.
    ///   - scheduler: Where what is delayed arrives.
    /// - Returns: The same values in the same order.
    @inlinable
    public func delay(by interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            Delay(interval: interval, alarm: Alarm(on: scheduler, in: sink.subscription), sink: sink).run(self)
        })
    }
}

/// One subscription to a delayed signal; there is one piece of scheduled work at a time, for the event that is next.
///
/// Guards: `waiting` is touched inside `gate` only.
@usableFromInline
final class Delay<Value: Sendable, Failure: Error, Clock: TimedScheduler>: Junction {
    @usableFromInline
    enum Step: Sendable {
        case event(Event<Value, Failure>)
        case due
    }

    @usableFromInline let gate = SerialGate<Step>()
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
    func run(_ source: Signal<Value, Failure>) {
        source.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.event(.value($0))) },
            end: { self.takeInTurn(.event(Event($0))) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .event(.failed(let failure)):
            self.sink.fail(failure)
        case .event(let event):
            guard !self.sink.isClosed else { return }
            self.waiting.append((self.alarm.now + self.interval, event))
            if self.waiting.count == 1 { self.setAlarm(after: self.interval) }
        case .due:
            guard let first = self.waiting.popFirst() else { return }
            self.sink.forward(first.event)
            if let next = self.waiting.first, !self.sink.isClosed { self.setAlarm(after: next.due - self.alarm.now) }
        }
    }

    @inlinable
    func setAlarm(after delay: Duration) {
        self.alarm.set(after: delay) { self.takeInTurn(.due) }
    }
}

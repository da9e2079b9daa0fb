extension Signal {
    /// Passes a value on when silence has followed it.
    ///
    /// A newer value replaces the held one and begins the silence anew. Completion sends the held value first; a
    /// failure and disposal drop it. Empty `[done]`. Semantics: docs/semantics.md, C113, C114. ReactiveObjC: RACSignal
    /// throttle:.
    ///
    /// - Parameters:
    ///   - interval: The length of the silence.
    ///   - scheduler: Delivers held values.
    /// - Returns: The values that came to rest.
    @inlinable
    public func debounce(for interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        self.debounce(for: interval, on: scheduler) { _ in true }
    }

    /// Passes some values on when silence has followed them, and the others at once.
    ///
    /// A value that need not be held passes at once, on the sending thread, and drops the held one. Otherwise it works
    /// like the function without a predicate. Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACSignal
    /// throttle:valuesPassingTest:.
    ///
    /// - Parameters:
    ///   - interval: The length of the silence.
    ///   - scheduler: Delivers held values.
    ///   - isHeld: Called once per value and observer; returns whether the value waits for silence.
    /// - Returns: The values that came to rest or did not have to.
    @inlinable
    public func debounce(
        for interval: Duration,
        on scheduler: some TimedScheduler,
        where isHeld: @escaping @Sendable (Value) -> Bool
    ) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let alarm = Alarm(on: scheduler, in: sink.subscription)
            Debounce(interval: interval, alarm: alarm, isHeld: isHeld, sink: sink).run(self)
        })
    }
}

/// One subscription to a debounced signal; a newer value moves the due time, not the piece of scheduled work.
///
/// Guards: `held`, `due` and `isAlarmSet` are touched inside `gate` only.
@usableFromInline
final class Debounce<Value: Sendable, Failure: Error, Clock: TimedScheduler>: TimedJunction {
    @usableFromInline let gate = SerialGate<TimedStep<Value, Failure>>()
    @usableFromInline nonisolated(unsafe) var held: Value?
    @usableFromInline nonisolated(unsafe) var due = Duration.zero
    @usableFromInline nonisolated(unsafe) var isAlarmSet = false
    @usableFromInline let interval: Duration
    @usableFromInline let alarm: Alarm<Clock>
    @usableFromInline let isHeld: @Sendable (Value) -> Bool
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(
        interval: Duration,
        alarm: Alarm<Clock>,
        isHeld: @escaping @Sendable (Value) -> Bool,
        sink: Sink<Value, Failure>
    ) {
        self.interval = interval
        self.alarm = alarm
        self.isHeld = isHeld
        self.sink = sink
    }

    @inlinable
    func take(_ step: TimedStep<Value, Failure>) {
        switch step {
        case .value(let value):
            if self.isHeld(value) { self.hold(value) } else { self.pass(value) }
        case .due:
            self.isAlarmSet = false
            if self.held != nil { self.sendIfDue() }
        case .ended(let ending):
            if case .completed = ending { self.sendHeld() }
            self.sink.end(ending)
        }
    }

    @inlinable
    func hold(_ value: Value) {
        guard !self.sink.isClosed else { return }
        self.held = value
        self.due = self.alarm.now + self.interval
        if !self.isAlarmSet { self.look(after: self.interval) }
    }

    @inlinable
    func pass(_ value: Value) {
        self.held = nil
        self.sink.send(value)
    }

    @inlinable
    func sendIfDue() {
        let left = self.due - self.alarm.now
        if left > .zero { self.look(after: left) } else { self.sendHeld() }
    }

    @inlinable
    func sendHeld() {
        guard let held = self.held else { return }
        self.held = nil
        self.sink.send(held)
    }

    @inlinable
    func look(after delay: Duration) {
        self.isAlarmSet = true
        self.setAlarm(after: delay)
    }
}

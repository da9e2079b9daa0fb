/// What may happen to an operator with one source and an alarm.
@usableFromInline
enum TimedStep<Value: Sendable, Failure: Error>: Sendable {
    case value(Value)
    /// The alarm that was set last went off.
    case due
    case ended(Ending<Failure>)
}

/// Where one source and an alarm meet, for one subscription.
@usableFromInline
protocol TimedJunction: Junction where Step == TimedStep<Value, Failure> {
    /// What the source sends.
    associatedtype Value: Sendable
    /// How it fails.
    associatedtype Failure: Error
    /// What the operator sends.
    associatedtype Output: Sendable
    /// What the alarm is set on.
    associatedtype Clock: TimedScheduler

    /// Set inside the gate only.
    var alarm: Alarm<Clock> { get }

    /// The observer's.
    var sink: Sink<Output, Failure> { get }
}

extension TimedJunction {
    /// Observes the source.
    @inlinable
    func run(_ source: Signal<Value, Failure>) {
        source.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.value($0)) },
            end: { self.takeInTurn(.ended($0)) }
        )
    }

    /// Lets the step ``TimedStep/due`` come later, instead of when it was to come before.
    @inlinable
    func setAlarm(after delay: Duration) {
        self.alarm.set(after: delay) { self.takeInTurn(.due) }
    }
}

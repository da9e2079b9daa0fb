/// A step of an operator with one source and an alarm.
@usableFromInline
enum TimedStep<Value: Sendable, Failure: Error>: Sendable {
    case value(Value)
    /// The alarm that was set last went off.
    case due
    case ended(Ending<Failure>)
}

/// The meeting point of one source and an alarm, for one subscription.
@usableFromInline
protocol TimedJunction: Junction where Step == TimedStep<Value, Failure> {
    /// The type of the source's values.
    associatedtype Value: Sendable
    /// The type of a failure.
    associatedtype Failure: Error
    /// The type of the operator's values.
    associatedtype Output: Sendable
    /// The scheduler of the alarm.
    associatedtype Clock: TimedScheduler

    /// Set inside the gate only.
    var alarm: Alarm<Clock> { get }

    /// The observer's sink.
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

    /// Moves the step ``TimedStep/due`` to a later time.
    @inlinable
    func setAlarm(after delay: Duration) {
        self.alarm.set(after: delay) { self.takeInTurn(.due) }
    }
}

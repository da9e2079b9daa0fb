public import Synchronization

/// One subscription whose events go to a scheduler.
///
/// One piece of work is scheduled per event, so signals that are delivered on one scheduler keep their mutual order.
///
/// Guards: a lock guards `waiting`. The thread that raises `due` from 0 delivers, until it is 0 again.
@usableFromInline
final class SchedulerDelivery<Value: Sendable, Failure: Error, Target: Scheduler>: Sendable {
    @usableFromInline let waiting = Guarded(Fifo<Event<Value, Failure>>())
    /// Deliveries that have begun.
    ///
    /// A delivery that begins inside another, or on another thread, is left to that one.
    @usableFromInline let due = Atomic(0)
    @usableFromInline let target: Target
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(on target: Target, sink: Sink<Value, Failure>) {
        self.target = target
        self.sink = sink
    }

    /// Runs a source and hands over its events, except those that `isImmediate` lets pass.
    @inlinable
    func run(_ source: Signal<Value, Failure>, isImmediate: @escaping @Sendable () -> Bool) {
        source.start(
            in: self.sink.subscription,
            value: { self.handOver(.value($0), isImmediate: isImmediate) },
            end: { self.handOver(Event($0), isImmediate: isImmediate) }
        )
    }

    @inlinable
    func handOver(_ event: Event<Value, Failure>, isImmediate: () -> Bool) {
        let isFirst = self.waiting.withLock { waiting in
            waiting.append(event)
            return waiting.count == 1
        }
        if isFirst, isImmediate() {
            self.deliver()
        } else {
            self.target.schedule { self.deliver() }
        }
    }

    /// Delivers the oldest waiting event, behind those whose delivery has begun.
    @inlinable
    func deliver() {
        guard self.due.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if let event = self.waiting.withLock({ $0.popFirst() }) { self.sink.forward(event) }
        } while self.due.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }
}

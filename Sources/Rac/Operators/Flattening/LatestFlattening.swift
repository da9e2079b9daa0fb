/// One subscription to a flattened signal that follows its newest inner signal.
///
/// Guards: only the outer signal's values touch `newest` and `inner`, and they come one after another. `current`,
/// `isInnerRunning` and `isOuterOver` are touched inside `gate` only.
@usableFromInline
final class LatestFlattening<Value: Sendable, Output: Sendable, Failure: Error>: Junction {
    /// An event of the outer signal, or of the inner signal with a number.
    @usableFromInline
    enum Step: Sendable {
        case started(Int)
        case value(Output, of: Int)
        case innerEnded(Ending<Failure>, of: Int)
        case outerEnded(Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline let transform: @Sendable (Value) -> Signal<Output, Failure>
    @usableFromInline let sink: Sink<Output, Failure>
    @usableFromInline nonisolated(unsafe) var newest = 0
    @usableFromInline nonisolated(unsafe) var inner: Subscription?
    @usableFromInline nonisolated(unsafe) var current = 0
    @usableFromInline nonisolated(unsafe) var isInnerRunning = false
    @usableFromInline nonisolated(unsafe) var isOuterOver = false

    @inlinable
    init(transform: @escaping @Sendable (Value) -> Signal<Output, Failure>, sink: Sink<Output, Failure>) {
        self.transform = transform
        self.sink = sink
    }

    /// Runs the outer signal.
    @inlinable
    func run(_ outer: Signal<Value, Failure>) {
        outer.start(
            in: self.sink.subscription,
            value: { self.follow($0) },
            end: { self.takeInTurn(.outerEnded($0)) }
        )
    }

    /// Starts the inner signal of a value, outside the gate, because it may send any number of values at once.
    @inlinable
    func follow(_ value: Value) {
        guard !self.sink.isClosed else { return }
        self.inner?.dispose()
        self.newest += 1
        let number = self.newest
        self.takeInTurn(.started(number))
        let subscription = Subscription(in: self.sink.subscription)
        self.inner = subscription
        self.transform(value).start(
            subscription,
            value: { self.takeInTurn(.value($0, of: number)) },
            end: { self.takeInTurn(.innerEnded($0, of: number)) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .started(let number):
            self.current = number
            self.isInnerRunning = true
        case .value(let value, let number):
            // An event that was on its way when its signal was replaced is dropped.
            if number == self.current { self.sink.send(value) }
        case .innerEnded(let ending, let number):
            if number == self.current { self.innerEnded(ending) }
        case .outerEnded(let ending):
            self.outerEnded(ending)
        }
    }

    @inlinable
    func innerEnded(_ ending: Ending<Failure>) {
        switch ending {
        case .completed:
            self.isInnerRunning = false
            if self.isOuterOver { self.sink.complete() }
        case .failed:
            self.sink.end(ending)
        }
    }

    @inlinable
    func outerEnded(_ ending: Ending<Failure>) {
        switch ending {
        case .completed:
            self.isOuterOver = true
            if !self.isInnerRunning { self.sink.complete() }
        case .failed:
            self.sink.end(ending)
        }
    }
}

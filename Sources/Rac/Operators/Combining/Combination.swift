/// Decides when the values of several members make a row, and when no further row is possible.
@usableFromInline
protocol CombinationState: Sendable {
    /// A member sent a value; returns whether there is a row, which the caller then takes.
    mutating func arrived(at member: Int) -> Bool

    /// A row was taken; returns whether it was the last.
    mutating func tookRow() -> Bool

    /// A member completed; returns whether no further row is possible.
    mutating func completed(at member: Int) -> Bool
}

/// One subscription to rows of values of several members.
///
/// The makers of the rows keep the members' places.
///
/// Guards: `state` and the places are touched inside `gate` only.
@usableFromInline
final class Combination<State: CombinationState, Row: Sendable, Failure: Error>: Junction {
    /// A step that waits for the end of another delivery.
    ///
    /// Storing comes as a closure, because the members differ in type.
    @usableFromInline
    enum Step: Sendable {
        case value(of: Int, store: @Sendable () -> Void)
        case ended(Int, Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var state: State
    @usableFromInline let sink: Sink<Row, Failure>
    /// Makes a row of the stored values; called when there is one.
    @usableFromInline let takeRow: @Sendable () -> Row

    @inlinable
    init(_ state: State, sink: Sink<Row, Failure>, takeRow: @escaping @Sendable () -> Row) {
        self.state = state
        self.sink = sink
        self.takeRow = takeRow
    }

    /// Observes a member, unless an earlier one has ended the result.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - index: Its number.
    ///   - store: Puts a value in its place.
    @inlinable
    func run<Value>(_ member: Signal<Value, Failure>, at index: Int, store: @escaping @Sendable (Value) -> Void) {
        guard !self.sink.isClosed else { return }
        member.start(
            in: self.sink.subscription,
            value: { value in
                // Only a value that has to wait costs a closure.
                guard self.gate.enter() || self.gate.enterOrWait(.value(of: index, store: { store(value) })) else {
                    return
                }
                store(value)
                self.stored(at: index)
                self.gate.leave { self.take($0) }
            },
            end: { self.takeInTurn(.ended(index, $0)) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .value(let member, let store):
            store()
            self.stored(at: member)
        case .ended(let member, .completed):
            if self.state.completed(at: member) { self.sink.complete() }
        case .ended(_, .failed(let failure)):
            self.sink.fail(failure)
        }
    }

    @inlinable
    func stored(at member: Int) {
        guard self.state.arrived(at: member), !self.sink.isClosed else { return }
        let row = self.takeRow()
        let isLast = self.state.tookRow()
        self.sink.send(row)
        if isLast { self.sink.complete() }
    }
}

/// The number of a pack's members.
@inlinable
func countOf<each Member>(_ members: repeat each Member) -> Int {
    var count = 0
    for _ in repeat each members { count += 1 }
    return count
}

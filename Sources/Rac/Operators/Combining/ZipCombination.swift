/// One subscription to rows of values of several members.
///
/// Guards: `state` and the places are touched inside `gate` only.
@usableFromInline
final class ZipCombination<Row: Sendable, Failure: Error>: Junction {
    /// What has to wait for another delivery to end; storing comes as a closure, since the members differ in type.
    @usableFromInline
    enum Step: Sendable {
        case value(of: Int, store: @Sendable () -> Void)
        case ended(Int, Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var state: ZipState
    @usableFromInline let sink: Sink<Row, Failure>
    /// Takes one value of each place; called when there is one.
    @usableFromInline let takeRow: @Sendable () -> Row

    @inlinable
    init(members: Int, sink: Sink<Row, Failure>, takeRow: @escaping @Sendable () -> Row) {
        self.state = ZipState(members: members)
        self.sink = sink
        self.takeRow = takeRow
    }

    /// Observes a member, unless an earlier one has ended it all.
    @inlinable
    func run<Value>(_ member: Signal<Value, Failure>, into place: ZipPlace<Value>, at index: Int) {
        guard !self.sink.isClosed else { return }
        member.start(
            in: self.sink.subscription,
            value: { value in
                // Only a value that has to wait costs a closure.
                guard
                    self.gate.enter()
                        || self.gate.enterOrWait(.value(of: index, store: { place.line.append(value) }))
                else { return }
                place.line.append(value)
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

/// The values of one member that wait for those of the others.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class ZipPlace<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var line = Fifo<Value>()

    @inlinable
    init() {}

    /// Takes the value that has waited longest.
    @inlinable
    func takeFirst() -> Value {
        guard let first = self.line.popFirst() else {
            preconditionFailure("A row is taken only when every member has a value waiting.")
        }
        return first
    }
}

/// One subscription to the latest values of several members.
///
/// Guards: `state` and what `store` and `current` touch are touched inside `gate` only.
@usableFromInline
final class LatestCombination<Output: Sendable, Failure: Error>: Junction {
    /// What has to wait for another delivery to end: storing the value of a member, or an end.
    @usableFromInline
    enum Step: Sendable {
        case value(@Sendable () -> Bool)
        case ended(Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var state: LatestState
    @usableFromInline let sink: Sink<Output, Failure>
    /// Makes the combination of the stored values; called when all are there.
    @usableFromInline let current: @Sendable () -> Output

    @inlinable
    init(members: Int, sink: Sink<Output, Failure>, current: @escaping @Sendable () -> Output) {
        self.state = LatestState(members: members)
        self.sink = sink
        self.current = current
    }

    /// Observes a member, unless an earlier one has ended it all.
    ///
    /// - Parameters:
    ///   - member: What to observe.
    ///   - store: Puts a value in its place and answers whether it is the first.
    @inlinable
    func run<Value>(_ member: Signal<Value, Failure>, store: @escaping @Sendable (Value) -> Bool) {
        guard !self.sink.isClosed else { return }
        member.start(
            in: self.sink.subscription,
            value: { value in
                // Only a value that has to wait costs a closure.
                guard self.gate.enter() || self.gate.enterOrWait(.value({ store(value) })) else { return }
                self.stored(first: store(value))
                self.gate.leave { self.take($0) }
            },
            end: { self.takeInTurn(.ended($0)) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .value(let store): self.stored(first: store())
        case .ended(.completed): if self.state.completed() { self.sink.complete() }
        case .ended(.failed(let failure)): self.sink.fail(failure)
        }
    }

    @inlinable
    func stored(first: Bool) {
        if self.state.spoke(first: first) { self.sink.send(self.current()) }
    }
}

/// The place of one member's latest value, in a combination whose members differ in type.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class LatestPlace<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var stored: Value?

    @inlinable
    init() {}

    /// Stores a value and answers whether it is the first.
    @inlinable
    func store(_ value: Value) -> Bool {
        defer { self.stored = value }
        return self.stored == nil
    }

    /// The value, once there is one.
    @inlinable
    var latest: Value {
        guard let stored = self.stored else {
            preconditionFailure("A combination is made only after every member has spoken.")
        }
        return stored
    }
}

/// The places of the latest values of members of one type.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class LatestBoard<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var incomplete: [Value?]
    @usableFromInline var silent: Int
    /// The values, once all are there; changed in place, so that a combination that nobody keeps costs no copy.
    @usableFromInline var latest: [Value] = []

    @inlinable
    init(members: Int) {
        self.incomplete = Array(repeating: nil, count: members)
        self.silent = members
    }

    /// Stores a value and answers whether it is the first of this member.
    @inlinable
    func store(_ value: Value, at index: Int) -> Bool {
        guard self.latest.isEmpty else {
            self.latest[index] = value
            return false
        }
        let isFirst = self.incomplete[index] == nil
        self.incomplete[index] = value
        if isFirst { self.silent -= 1 }
        if self.silent == 0 {
            self.latest = self.incomplete.compactMap(\.self)
            self.incomplete = []
        }
        return isFirst
    }
}

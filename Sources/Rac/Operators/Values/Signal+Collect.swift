extension Signal {
    /// Combines all values into one result, sent when the source completes.
    ///
    /// Empty `[initial, done]`; a failure passes and the result is lost; never `[]`. Semantics: docs/semantics.md,
    /// C030. ReactiveObjC: RACSignal aggregateWithStart:reduce:.
    ///
    /// - Parameters:
    ///   - initial: The partner of the first value, anew for each observer.
    ///   - next: Called once per value and observer.
    /// - Returns: One result.
    @inlinable
    public func reduce<Result: Sendable>(
        _ initial: Result,
        _ next: @escaping @Sendable (Result, Value) -> Result
    ) -> Signal<Result, Failure> {
        self.gather(initial) {
            $0 = next($0, $1)
        } finish: {
            $1.send($0)
        }
    }

    /// Gathers all values in one array, sent when the source completes.
    ///
    /// Empty `[[], done]`; a failure passes and the values are lost; never `[]`. Signals that are values are gathered,
    /// not observed. Semantics: docs/semantics.md, C034, C035. ReactiveObjC: RACSignal collect.
    ///
    /// - Returns: One array, nil values included.
    @inlinable
    public func collect() -> Signal<[Value], Failure> {
        self.gather([]) {
            $0.append($1)
        } finish: {
            $1.send($0)
        }
    }

    /// Gathers the values in arrays of a fixed number.
    ///
    /// Completion sends the values that are left first, in a shorter array; a failure drops them. Empty `[done]`.
    /// Semantics: docs/semantics.md, C405. Combine: collect(_:). RxSwift: buffer.
    ///
    /// - Parameter count: The number of values in an array, 1 or more.
    /// - Returns: Arrays without an empty one, in which each value stands once.
    @inlinable
    public func collect(count: Int) -> Signal<[Value], Failure> {
        precondition(count > 0, "An array of gathered values needs room for at least one.")
        return Signal<[Value], Failure>(serial: { sink in
            let gathered = SerialCell([Value]())
            self.start(
                in: sink.subscription,
                value: { value in
                    gathered.state.append(value)
                    guard gathered.state.count == count else { return }
                    let full = gathered.state
                    gathered.state = []
                    sink.send(full)
                },
                end: { ending in
                    if case .completed = ending, !gathered.state.isEmpty { sink.send(gathered.state) }
                    sink.end(ending)
                }
            )
        })
    }

    /// Passes on the last values when the source completes.
    ///
    /// It passes fewer if there are fewer. A failure passes and the values are lost; never `[]`. Semantics:
    /// docs/semantics.md, C038. ReactiveObjC: RACSignal takeLast:.
    ///
    /// - Parameter count: The number of values, 0 or more.
    /// - Returns: No more than `count` values.
    @inlinable
    public func take(last count: Int) -> Signal<Value, Failure> {
        precondition(count >= 0, "A signal cannot take a negative number of values.")
        return self.gather(Fifo<Value>()) { line, value in
            line.append(value)
            if line.count > count { _ = line.popFirst() }
        } finish: { line, sink in
            for value in line.elements { sink.send(value) }
        }
    }

    /// Keeps state for each observer and sends no value before the source has completed.
    @inlinable
    func gather<State: Sendable, Output>(
        _ initial: State,
        step: @escaping @Sendable (inout State, Value) -> Void,
        finish: @escaping @Sendable (State, Sink<Output, Failure>) -> Void
    ) -> Signal<Output, Failure> {
        Signal<Output, Failure>(serial: { sink in
            let cell = SerialCell(initial)
            self.start(
                in: sink.subscription,
                value: { step(&cell.state, $0) },
                end: { ending in
                    if case .completed = ending { finish(cell.state, sink) }
                    sink.end(ending)
                }
            )
        })
    }
}

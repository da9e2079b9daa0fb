/// One subscription to a flattened signal that runs up to a fixed number of inner signals at a time.
///
/// Guards: a lock guards `state`, and no call is made under it; `join` orders the events of the inner signals.
@usableFromInline
final class ConcurrentFlattening<Value: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let state: Guarded<FlatteningState<Value>>
    @usableFromInline let transform: @Sendable (Value) -> Signal<Output, Failure>
    @usableFromInline let join: Sink<Output, Failure>

    @inlinable
    init(limit: Int, transform: @escaping @Sendable (Value) -> Signal<Output, Failure>, sink: Sink<Output, Failure>) {
        self.state = Guarded(FlatteningState(limit: limit))
        self.transform = transform
        self.join = sink.serialized()
    }

    /// Runs the outer signal.
    @inlinable
    func run(_ outer: Signal<Value, Failure>) {
        outer.start(
            in: self.join.subscription,
            value: { value in
                self.state.withLock { $0.arrived(value) }
                self.startInnerSignals()
            },
            end: { ending in
                switch ending {
                case .completed: if self.state.withLock({ $0.outerCompleted() }) { self.join.complete() }
                case .failed: self.join.end(ending)
                }
            }
        )
    }

    /// Starts the inner signals that may start.
    ///
    /// The loop keeps inner signals that end at once from using up the stack.
    @inlinable
    func startInnerSignals() {
        guard self.state.withLock({ $0.beginStarting() }) else { return }
        while let value = self.state.withLock({ $0.next() }) {
            if !self.join.isClosed { self.start(self.transform(value)) }
        }
    }

    @inlinable
    func start(_ inner: Signal<Output, Failure>) {
        inner.start(
            in: self.join.subscription,
            value: { self.join.send($0) },
            end: { ending in
                switch ending {
                case .completed: self.innerCompleted()
                case .failed: self.join.end(ending)
                }
            }
        )
    }

    @inlinable
    func innerCompleted() {
        if self.state.withLock({ $0.innerCompleted() }) {
            self.join.complete()
        } else {
            self.startInnerSignals()
        }
    }
}

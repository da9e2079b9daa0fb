/// The values of a signal as an asynchronous sequence, which fails as the signal does.
///
/// The signal is observed when iteration begins, once per iterator. It is cancelled when the iterator is released, and
/// when the waiting task is cancelled, which ends the sequence without a failure. Values that the task is not ready for
/// wait in a buffer. A signal that sends without end inside the call that observes it must be cut, as
/// ``Signal/take(_:)`` does.
public struct SignalValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// The values that one observer has not taken yet.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var values: AsyncStream<Value>.Iterator
        private let failure: FailureBox<Failure>

        init(_ signal: Signal<Value, Failure>, policy: AsyncStream<Value>.Continuation.BufferingPolicy) {
            let failure = FailureBox<Failure>()
            self.failure = failure
            self.values = AsyncStream(bufferingPolicy: policy) { continuation in
                let subscription = Subscription()
                continuation.onTermination = { _ in subscription.dispose() }
                signal.start(
                    subscription,
                    value: { continuation.yield($0) },
                    end: { ending in
                        failure.store(ending)
                        continuation.finish()
                    }
                )
            }.makeAsyncIterator()
        }

        /// Waits for the next value.
        ///
        /// - Returns: The value, or nil once the signal has completed or the task has been cancelled.
        /// - Throws: The failure of the signal, once.
        public mutating func next() async throws(Failure) -> Value? {
            try await self.next(isolation: nil)
        }

        /// Waits for the next value, and stays on an actor meanwhile.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The value, or nil once the signal has completed or the task has been cancelled.
        /// - Throws: The failure of the signal, once.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            if let value = await self.values.next(isolation: actor) { return value }
            if let failure = self.failure.take() { throw failure }
            return nil
        }
    }

    private let signal: Signal<Value, Failure>
    private let policy: AsyncStream<Value>.Continuation.BufferingPolicy

    init(_ signal: Signal<Value, Failure>, policy: AsyncStream<Value>.Continuation.BufferingPolicy) {
        self.signal = signal
        self.policy = policy
    }

    /// Observes the signal.
    ///
    /// - Returns: The iterator that waits for the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self.signal, policy: self.policy)
    }
}

/// The failure of one run of a signal, if it failed.
private final class FailureBox<Failure: Error>: Sendable {
    private let failure = Guarded(Failure?.none)

    func store(_ ending: Ending<Failure>) {
        guard case .failed(let failure) = ending else { return }
        self.failure.withLock { $0 = failure }
    }

    func take() -> Failure? {
        self.failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
    }
}

/// Decides which inner signals run and which wait, while at most `limit` may run.
@usableFromInline
struct FlatteningState<Value: Sendable>: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline var waiting = Fifo<Value>()
    @usableFromInline var running = 0
    @usableFromInline var isOuterOver = false
    @usableFromInline var isStarting = false

    /// The initial state.
    ///
    /// - Parameter limit: The number of inner signals that may run at a time, 1 or more.
    @inlinable
    init(limit: Int) {
        self.limit = limit
    }

    /// The outer signal sent a value, which waits for its turn.
    @inlinable
    mutating func arrived(_ value: Value) {
        self.waiting.append(value)
    }

    /// The outer signal completed; returns whether that ends the result.
    @inlinable
    mutating func outerCompleted() -> Bool {
        self.isOuterOver = true
        return self.isOver
    }

    /// An inner signal completed; returns whether that ends the result.
    @inlinable
    mutating func innerCompleted() -> Bool {
        self.running -= 1
        return self.isOver
    }

    /// Returns whether the caller starts inner signals, with ``next()`` until it gives none.
    @inlinable
    mutating func beginStarting() -> Bool {
        guard !self.isStarting else { return false }
        self.isStarting = true
        return true
    }

    /// The value whose signal starts now; nil if none may start, and then the caller has to stop.
    @inlinable
    mutating func next() -> Value? {
        if self.running < self.limit, let value = self.waiting.popFirst() {
            self.running += 1
            return value
        }
        self.isStarting = false
        return nil
    }

    @inlinable
    var isOver: Bool {
        self.isOuterOver && self.running == 0 && self.waiting.isEmpty
    }
}

/// When a combination of latest values is sent and when it is over.
@usableFromInline
struct LatestState: Sendable {
    @usableFromInline var silent: Int
    @usableFromInline var running: Int

    /// A state in which no member has spoken or ended.
    ///
    /// - Parameter members: How many there are.
    @inlinable
    init(members: Int) {
        self.silent = members
        self.running = members
    }

    /// A member sent a value; answers whether every member has spoken, so that the combination is to be sent.
    @inlinable
    mutating func spoke(first: Bool) -> Bool {
        if first { self.silent -= 1 }
        return self.silent == 0
    }

    /// A member completed; answers whether that ends the combination: only the last one does.
    @inlinable
    mutating func completed() -> Bool {
        self.running -= 1
        return self.running == 0
    }
}

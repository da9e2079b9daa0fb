/// When a combination of latest values is sent and when it is over.
@usableFromInline
struct LatestState: CombinationState {
    @usableFromInline var hasSpoken: [Bool]
    @usableFromInline var silent: Int
    @usableFromInline var running: Int

    /// A state in which no member has spoken or ended.
    ///
    /// - Parameter members: How many there are.
    @inlinable
    init(members: Int) {
        self.hasSpoken = Array(repeating: false, count: members)
        self.silent = members
        self.running = members
    }

    /// A member sent a value; answers whether every member has spoken, so that the combination is to be sent.
    @inlinable
    mutating func arrived(at member: Int) -> Bool {
        guard self.silent > 0 else { return true }
        if !self.hasSpoken[member] {
            self.hasSpoken[member] = true
            self.silent -= 1
        }
        return self.silent == 0
    }

    /// A combination was sent, which is never the last: only ends end it.
    @inlinable
    mutating func tookRow() -> Bool { false }

    /// A member completed; answers whether that ends the combination: only the last one does.
    @inlinable
    mutating func completed(at member: Int) -> Bool {
        self.running -= 1
        return self.running == 0
    }
}

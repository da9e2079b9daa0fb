/// Decides when a combination of latest values is sent and when it is over.
@usableFromInline
struct LatestState: CombinationState {
    @usableFromInline var hasSpoken: [Bool]
    @usableFromInline var silent: Int
    @usableFromInline var running: Int

    /// A state in which no member has sent a value or ended.
    ///
    /// - Parameter members: The number of members.
    @inlinable
    init(members: Int) {
        self.hasSpoken = Array(repeating: false, count: members)
        self.silent = members
        self.running = members
    }

    /// A member sent a value; returns whether each member has sent one, so that the combination is due.
    @inlinable
    mutating func arrived(at member: Int) -> Bool {
        guard self.silent > 0 else { return true }
        if !self.hasSpoken[member] {
            self.hasSpoken[member] = true
            self.silent -= 1
        }
        return self.silent == 0
    }

    /// A combination was sent.
    ///
    /// It is never the last: only ends end the result.
    @inlinable
    mutating func tookRow() -> Bool { false }

    /// A member completed; returns whether it was the last one, which ends the combination.
    @inlinable
    mutating func completed(at member: Int) -> Bool {
        self.running -= 1
        return self.running == 0
    }
}

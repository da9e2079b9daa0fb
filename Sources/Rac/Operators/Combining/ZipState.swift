/// When a row of zipped values is complete and when no further one can be.
@usableFromInline
struct ZipState: CombinationState {
    /// How many values of each member wait.
    @usableFromInline var waiting: [Int]
    @usableFromInline var isOver: [Bool]
    /// How many members have nothing waiting.
    @usableFromInline var missing: Int

    /// A state in which no member has spoken or ended.
    ///
    /// - Parameter members: How many there are.
    @inlinable
    init(members: Int) {
        self.waiting = Array(repeating: 0, count: members)
        self.isOver = Array(repeating: false, count: members)
        self.missing = members
    }

    /// A member sent a value; answers whether that completes a row, which is to be taken now.
    @inlinable
    mutating func arrived(at member: Int) -> Bool {
        self.waiting[member] += 1
        if self.waiting[member] == 1 { self.missing -= 1 }
        return self.missing == 0
    }

    /// A row was taken; answers whether it was the last.
    @inlinable
    mutating func tookRow() -> Bool {
        var isLast = false
        for member in self.waiting.indices {
            self.waiting[member] -= 1
            guard self.waiting[member] == 0 else { continue }
            self.missing += 1
            if self.isOver[member] { isLast = true }
        }
        return isLast
    }

    /// A member completed; answers whether no further row can be made.
    @inlinable
    mutating func completed(at member: Int) -> Bool {
        self.isOver[member] = true
        return self.waiting[member] == 0
    }
}

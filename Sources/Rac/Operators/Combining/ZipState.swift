/// Decides when a row of zipped values is complete and when no further row is possible.
@usableFromInline
struct ZipState: CombinationState {
    /// The number of waiting values of each member.
    @usableFromInline var waiting: [Int]
    @usableFromInline var isOver: [Bool]
    /// The number of members without a waiting value.
    @usableFromInline var missing: Int

    /// A state in which no member has sent a value or ended.
    ///
    /// - Parameter members: The number of members.
    @inlinable
    init(members: Int) {
        self.waiting = Array(repeating: 0, count: members)
        self.isOver = Array(repeating: false, count: members)
        self.missing = members
    }

    /// A member sent a value; returns whether that completes a row, which the caller then takes.
    @inlinable
    mutating func arrived(at member: Int) -> Bool {
        self.waiting[member] += 1
        if self.waiting[member] == 1 { self.missing -= 1 }
        return self.missing == 0
    }

    /// A row was taken; returns whether it was the last.
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

    /// A member completed; returns whether no further row is possible.
    @inlinable
    mutating func completed(at member: Int) -> Bool {
        self.isOver[member] = true
        return self.waiting[member] == 0
    }
}

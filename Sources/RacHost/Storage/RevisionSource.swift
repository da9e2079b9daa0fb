package import RacProtocol

/// Gives out revisions from blocks that are reserved on disk before their use.
///
/// Semantics: protocol.md, "Revisions".
package struct RevisionSource: Sendable {
    /// The number of revisions in one block.
    package static let blockSize: UInt64 = 1_000_000

    private var last: UInt64
    private var reserved: UInt64
    private var requested: UInt64

    /// Continues above `floor`; revisions up to `reserved` may be given out, none if it is below `floor`.
    package init(floor: Revision, reserved: Revision) {
        self.last = floor.number
        self.reserved = max(floor, reserved).number
        self.requested = self.reserved
    }

    /// The newest revision given out.
    package var newest: Revision { Revision(self.last) }

    /// Whether this number of revisions can be given out.
    package func has(_ count: Int) -> Bool {
        self.reserved - self.last >= UInt64(count)
    }

    /// The next revision, which `has` must have granted.
    package mutating func next() -> Revision {
        precondition(self.last < self.reserved, "a revision is given out only after its block is reserved")
        self.last += 1
        return Revision(self.last)
    }

    /// The end of the next block, once for each block, when half of the present one is used.
    package mutating func neededReservation() -> Revision? {
        guard self.requested == self.reserved, self.reserved - self.last < Self.blockSize / 2 else { return nil }
        self.requested = self.reserved + Self.blockSize
        return Revision(self.requested)
    }

    /// The disk has the reservation.
    package mutating func reserved(through revision: Revision) {
        self.reserved = max(self.reserved, revision.number)
    }
}

package import RacProtocol

/// Gives out revisions from blocks that are reserved on disk ahead of use.
///
/// Semantics: DESIGN.md, section 6.
package struct RevisionSource: Sendable {
    /// How many revisions one block has.
    package static let blockSize: UInt64 = 1_000_000

    private var last: UInt64
    private var reserved: UInt64
    private var requested: UInt64

    /// Continues above `floor`; everything up to `reserved` may be given out, nothing if that is below.
    package init(floor: Revision, reserved: Revision) {
        self.last = floor.number
        self.reserved = max(floor, reserved).number
        self.requested = self.reserved
    }

    /// The newest revision that was given out.
    package var newest: Revision { Revision(self.last) }

    /// Whether as many more can be given out.
    package func has(_ count: Int) -> Bool {
        self.reserved - self.last >= UInt64(count)
    }

    /// The next revision; there must be one, see `has`.
    package mutating func next() -> Revision {
        precondition(self.last < self.reserved, "a revision is given out only after its block is reserved")
        self.last += 1
        return Revision(self.last)
    }

    /// The end of the next block, when half of the present one is used up; once for each block.
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

internal import Synchronization

/// A value on its way through terminals, properties and bindings, with the marks that distinguish it.
///
/// Of two changes that meet in a property, the one of higher rank stays, whichever comes first. A change does not pass
/// a place twice. So rings come to rest (binding-4), and both ends of a binding agree when their writers stop
/// (binding-5).
@usableFromInline
package struct Change<Value: Sendable>: Sendable {
    /// The value.
    @usableFromInline package var value: Value
    /// The number of the change, given at its making; bindings keep it.
    @usableFromInline package var identity: UInt64
    /// The rank that decides which of two changes is newer: at first the identity, later the number of a renewal.
    @usableFromInline package var rank: UInt64
    /// The origin, and in the last bit whether it is a renewal: one more field would double the cost of a copy.
    @usableFromInline var mark: UInt64
    /// A mark of the maker's, which terminals and bindings carry; 0 for a new value of a program's own.
    @usableFromInline package var tag: UInt64 = 0
    /// The property or the channel's direction in which it was made.
    @usableFromInline package let birthplace: UInt64
    /// The directions of plain channels that it has passed and does not pass again.
    @usableFromInline package var trail: Trail?

    /// Makes a change that is newer than each other.
    @inlinable
    package init(_ value: Value, in birthplace: UInt64, origin: UInt64 = 0, tag: UInt64 = 0) {
        self.value = value
        self.birthplace = birthplace
        self.identity = SerialNumber.next()
        self.rank = self.identity
        self.mark = origin << 1
        self.tag = tag
    }

    /// The terminal through which it reached the core, and which is not notified; 0 if there is none.
    @inlinable
    package var origin: UInt64 {
        get { self.mark >> 1 }
        set { self.mark = newValue << 1 | self.mark & 1 }
    }

    /// Whether it only carries a new rank of a value that observers know: bindings get it, observers do not.
    @inlinable
    package var isRenewal: Bool {
        get { self.mark & 1 == 1 }
        set { self.mark = self.mark & ~1 | (newValue ? 1 : 0) }
    }

    /// The rank before the last renewal, or 0; it decides between two changes that were renewed to the same rank.
    @inlinable
    package var formerRank: UInt64 { self.trail?.formerRank ?? 0 }

    /// Whether it stays in a place that has the other one: a strict order, the same everywhere.
    @inlinable
    package func isNewer(than other: Change<Value>) -> Bool {
        guard self.rank == other.rank else { return self.rank > other.rank }
        return (self.formerRank, self.identity) > (other.formerRank, other.identity)
    }

    /// This change with a higher rank, in the place of its renewal.
    @inlinable
    package func renewed(to rank: UInt64, in place: UInt64) -> Change<Value> {
        var renewed = self
        renewed.rank = rank
        // Its own last renewal gives way, or each new binding would lengthen the trail of a change that stays.
        let before = self.trail?.number == place ? self.trail?.before : self.trail
        renewed.trail = Trail(number: place, formerRank: self.rank, before: before)
        return renewed
    }

    /// A renewed change on its way to each place that may have it or an older one, also where it has been before.
    @inlinable
    package func renewal(from place: UInt64) -> Change<Value> {
        var renewal = self
        renewal.origin = 0
        renewal.isRenewal = true
        renewal.trail = Trail(number: place, formerRank: self.formerRank, before: nil)
        return renewal
    }

    /// Whether it has been in the property or direction of that number.
    @inlinable
    package func hasPassed(_ number: UInt64) -> Bool {
        if self.birthplace == number { return true }
        var step = self.trail
        while let here = step {
            if here.number == number { return true }
            step = here.before
        }
        return false
    }

    /// Notes that it passes the direction of that number.
    @inlinable
    package mutating func pass(_ number: UInt64) {
        self.trail = Trail(number: number, formerRank: self.formerRank, before: self.trail)
    }

    @inlinable
    init<Other>(_ value: Value, as other: Change<Other>) {
        self.value = value
        self.identity = other.identity
        self.rank = other.rank
        self.mark = other.mark
        self.tag = other.tag
        self.birthplace = other.birthplace
        self.trail = other.trail
    }

    /// This change for a side whose values have another form.
    @inlinable
    package func map<Output>(_ transform: (Value) -> Output) -> Change<Output> {
        Change<Output>(transform(self.value), as: self)
    }
}

/// A direction that a change has passed, or a place of its renewal, linked to the earlier ones.
@usableFromInline
package final class Trail: Sendable {
    @usableFromInline let number: UInt64
    /// The rank of the change before its last renewal, or 0.
    @usableFromInline let formerRank: UInt64
    @usableFromInline let before: Trail?

    @inlinable
    init(number: UInt64, formerRank: UInt64, before: Trail?) {
        self.number = number
        self.formerRank = formerRank
        self.before = before
    }
}

/// Numbers of changes, terminals and directions: 1, 2, 3… for the whole process.
@usableFromInline
enum SerialNumber {
    private static let last = Atomic<UInt64>(0)

    /// A number above all earlier ones.
    @usableFromInline
    static func next() -> UInt64 {
        self.last.add(1, ordering: .relaxed).newValue
    }
}

/// The part of the past that a new listener gets; it always gets the end.
@usableFromInline
package enum Replay: Sendable {
    /// Nothing.
    case nothing
    /// The stored value.
    case present
    /// The stored value, as the newest change of all, because a binding makes it win.
    case renewed
}

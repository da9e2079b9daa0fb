internal import Synchronization

/// A value on its way through terminals, properties and bindings, with what tells it from other values.
///
/// Of two changes that meet in a property the one of higher rank stays, whichever comes first, and one that has been
/// there does not pass again: so rings come to rest (binding-4) and both ends of a binding agree when their writers
/// stop (binding-5).
@usableFromInline
package struct Change<Value: Sendable>: Sendable {
    /// What is carried.
    @usableFromInline package var value: Value
    /// The number that the change was given when it was made; bindings leave it as it is.
    @usableFromInline package var identity: UInt64
    /// Decides which of two changes is the newer one: at first the identity, later what a binding renewed it to.
    @usableFromInline package var rank: UInt64
    /// The origin, and in the last bit whether it is a renewal: with one field more copies of it cost twice as much.
    @usableFromInline var mark: UInt64
    /// What its maker wants to find again wherever terminals and bindings carry it; 0 for a new value of a program's own.
    @usableFromInline package var tag: UInt64 = 0
    /// The property or direction of a channel where it was made.
    @usableFromInline package let birthplace: UInt64
    /// The directions of plain channels that it has passed since, which it does not pass again.
    @usableFromInline package var trail: Trail?

    /// Makes a change that is newer than every other.
    @inlinable
    package init(_ value: Value, in birthplace: UInt64, origin: UInt64 = 0, tag: UInt64 = 0) {
        self.value = value
        self.birthplace = birthplace
        self.identity = SerialNumber.next()
        self.rank = self.identity
        self.mark = origin << 1
        self.tag = tag
    }

    /// The terminal through which it came to where it is told, which does not tell it again; 0 if it was none.
    @inlinable
    package var origin: UInt64 {
        get { self.mark >> 1 }
        set { self.mark = newValue << 1 | self.mark & 1 }
    }

    /// Whether it only tells a new rank of what everybody there has heard: observers do not hear it, bindings do.
    @inlinable
    package var isRenewal: Bool {
        get { self.mark & 1 == 1 }
        set { self.mark = self.mark & ~1 | (newValue ? 1 : 0) }
    }

    /// The rank before it was renewed last, or 0: decides between two that were renewed to the same rank.
    @inlinable
    package var formerRank: UInt64 { self.trail?.formerRank ?? 0 }

    /// Whether it stays where the other one has been: a strict order, the same everywhere.
    @inlinable
    package func isNewer(than other: Change<Value>) -> Bool {
        guard self.rank == other.rank else { return self.rank > other.rank }
        return (self.formerRank, self.identity) > (other.formerRank, other.identity)
    }

    /// The same change with a higher rank, where it was renewed.
    @inlinable
    package func renewed(to rank: UInt64, in place: UInt64) -> Change<Value> {
        var renewed = self
        renewed.rank = rank
        renewed.trail = Trail(number: place, formerRank: self.rank, before: self.trail)
        return renewed
    }

    /// A renewed change on its way from a place to all who may have it or something older, wherever it has been before.
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

    /// The same change where its value has another form.
    @inlinable
    package func map<Output>(_ transform: (Value) -> Output) -> Change<Output> {
        Change<Output>(transform(self.value), as: self)
    }
}

/// A direction of a channel that a change has passed, or a place where it was renewed, and those before.
@usableFromInline
package final class Trail: Sendable {
    @usableFromInline let number: UInt64
    /// The rank of the change before it was renewed last, or 0.
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

    /// A number above all that were given out before.
    @usableFromInline
    static func next() -> UInt64 {
        self.last.add(1, ordering: .relaxed).newValue
    }
}

/// What somebody who begins to listen is told of what was said before; the end is always told.
@usableFromInline
package enum Replay: Sendable {
    /// Nothing.
    case nothing
    /// What is kept.
    case present
    /// What is kept, as the newest change of all, because a binding makes it win.
    case renewed
}

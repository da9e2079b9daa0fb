import Rac
import RacProtocol

/// What this client writes into the tag of a change: where it came from, so that it is found again wherever bindings carry it.
///
/// 0 is a program's own new value. Revisions stay far below 2⁶², so the bit above tells awaited writes from them.
struct ChangeTag: Hashable, Sendable {
    static let own = ChangeTag(rawValue: 0)
    private static let awaitedBit: UInt64 = 1 << 62

    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// A change that began with that revision; nil for a write that has none yet.
    init(root: Revision?) {
        self.rawValue = root.map { $0.number & (Self.awaitedBit - 1) } ?? 0
    }

    /// A write whose answer somebody waits for.
    init(ticket: UInt64) {
        self.rawValue = Self.awaitedBit | ticket
    }

    var root: Revision? {
        self.rawValue == 0 || self.ticket != nil ? nil : Revision(self.rawValue)
    }

    var ticket: UInt64? {
        self.rawValue & Self.awaitedBit == 0 ? nil : self.rawValue & ~Self.awaitedBit
    }
}

import Rac
import RacProtocol

/// The origin of a change, which this client writes into its tag and finds again wherever bindings carry the change.
///
/// 0 marks a program's own new value. Revisions stay far below 2⁶², so bit 62 marks awaited writes.
struct ChangeTag: Hashable, Sendable {
    static let own = ChangeTag(rawValue: 0)
    private static let awaitedBit: UInt64 = 1 << 62

    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The tag of a change that began with that revision; nil for a write that has no revision yet.
    init(root: Revision?) {
        self.rawValue = root.map { $0.number & (Self.awaitedBit - 1) } ?? 0
    }

    /// The tag of an awaited write.
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

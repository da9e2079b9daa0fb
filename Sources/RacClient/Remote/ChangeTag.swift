import Rac
import RacProtocol

/// The origin of a change, which this client writes into its tag and finds again wherever bindings carry the change.
///
/// 0 marks a program's own new value. Revisions stay below 2⁵³, so bit 62 marks awaited writes, and bit 61 other writes
/// whose text exists already. The eight bits above a revision are the client's ``ClientMark``.
struct ChangeTag: Hashable, Sendable {
    static let own = ChangeTag(rawValue: 0)
    private static let revisionBits = 53
    private static let markBits: UInt64 = 0xff << Self.revisionBits
    private static let awaitedBit: UInt64 = 1 << 62
    private static let encodedBit: UInt64 = 1 << 61
    private static let ticketBits = Self.awaitedBit | Self.encodedBit

    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The tag of a change that began with that revision; nil for a write that has no revision yet.
    init(root: Revision?) {
        self.rawValue = root.map { $0.number & ~(Self.markBits | Self.ticketBits) } ?? 0
    }

    private static func bits(of mark: ClientMark) -> UInt64 { UInt64(mark.number) << Self.revisionBits }

    /// The tag for the program's own observers, who may hand the change over to another daemon.
    func marked(_ mark: ClientMark?) -> ChangeTag {
        guard let mark, self.root != nil else { return self }
        return ChangeTag(rawValue: self.rawValue & ~Self.markBits | Self.bits(of: mark))
    }

    /// Whether the change comes from a daemon, and not from the one with that mark.
    func isForeign(to mark: ClientMark?) -> Bool {
        self.root != nil && self.rawValue & Self.markBits != mark.map(Self.bits(of:))
    }

    /// The tag of an awaited write.
    init(ticket: UInt64) {
        self.rawValue = Self.awaitedBit | ticket
    }

    /// The tag of a write that nobody awaits and whose text is kept.
    init(encodedAs ticket: UInt64) {
        self.rawValue = Self.encodedBit | ticket
    }

    var root: Revision? {
        self.rawValue == 0 || self.ticket != nil ? nil : Revision(self.rawValue & ~Self.markBits)
    }

    var ticket: UInt64? {
        self.rawValue & Self.ticketBits == 0 ? nil : self.rawValue & ~Self.ticketBits
    }

    var isAwaited: Bool { self.rawValue & Self.awaitedBit != 0 }
}

/// A value with the revision of its change.
package struct Valuation: Hashable, Sendable {
    package let value: JSONText
    package let revision: Revision
    /// The revision of the change that began the chain of links to this one; nil for a change of its own.
    package var cause: Revision? { self.storedCause == .never ? nil : self.storedCause }
    /// No change has the revision `none`, and few values have a cause.
    private let storedCause: Revision

    package init(value: JSONText, revision: Revision, cause: Revision?) {
        self.value = value
        self.revision = revision
        self.storedCause = cause ?? .never
    }

    /// The revision that a later cause must exceed: protocol.md, "Links".
    package var root: Revision { self.cause ?? self.revision }

    /// Whether a link's write takes the place of the value.
    package func givesWay(to text: JSONText?, from cause: Revision) -> Bool {
        cause.replaces(self.root, by: text, over: self.value)
    }

    /// The valuation with a value in memory of its own.
    package var detached: Valuation {
        Valuation(value: self.value.detached, revision: self.revision, cause: self.cause)
    }
}

/// The part of a channel that outlives the daemon.
package struct ChannelRecord: Hashable, Sendable {
    package let name: ChannelName
    package var mode: ChannelMode
    package var state: ChannelState
    /// The revision of the newest change: a value, an end or a reopening.
    package var revision: Revision
    /// The value that the leading side sent last; in a shared channel, that either side sent last.
    package var value: Valuation?
    /// The value that the following side of a paired channel sent last; nil in a shared channel.
    package var wish: Valuation? {
        get { if case .present(let wish) = self.storedWish { wish } else { nil } }
        set { self.storedWish = newValue.map { .present($0) } ?? .absent }
    }
    private var storedWish = StoredWish.absent

    /// Kept in an object of its own: few of many channels have one, and the others stay small.
    private enum StoredWish: Hashable, Sendable {
        case absent
        indirect case present(Valuation)
    }

    /// The time of the newest change, in milliseconds since 1970 UTC.
    package var changedAt: Int64

    /// The writer of the newest change; nil if a client of an open daemon, or the daemon itself, made it.
    package var author: Author?

    package init(
        name: ChannelName,
        mode: ChannelMode,
        state: ChannelState = .open,
        revision: Revision = .never,
        value: Valuation? = nil,
        wish: Valuation? = nil,
        changedAt: Int64,
        author: Author? = nil
    ) {
        self.name = name
        self.mode = mode
        self.state = state
        self.revision = revision
        self.value = value
        self.changedAt = changedAt
        self.author = author
        self.wish = wish
    }
}

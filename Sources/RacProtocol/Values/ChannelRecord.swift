/// A value with the change that brought it.
package struct Valuation: Hashable, Sendable {
    package let value: JSONText
    package let revision: Revision
    /// The revision of the change that began the chain of links which led here; nil for a change of its own.
    package var cause: Revision? { self.storedCause == .none ? nil : self.storedCause }
    /// No change has the revision that stands for none, and of many values few have a cause.
    private let storedCause: Revision

    package init(value: JSONText, revision: Revision, cause: Revision?) {
        self.value = value
        self.revision = revision
        self.storedCause = cause ?? .none
    }

    /// What a later cause must exceed: protocol.md, "Links".
    package var root: Revision { self.cause ?? self.revision }

    /// The same with a value in memory of its own.
    package var detached: Valuation {
        Valuation(value: self.value.detached, revision: self.revision, cause: self.cause)
    }
}

/// Everything of a channel that outlives the daemon.
package struct ChannelRecord: Hashable, Sendable {
    package let name: ChannelName
    package var mode: ChannelMode
    package var state: ChannelState
    /// The revision of the newest change, whatever it was: a value, an end, a reopening.
    package var revision: Revision
    /// What the leading side reported last; in a shared channel what any side sent last.
    package var value: Valuation?
    /// What the following side of a paired channel sent last; never there in a shared channel.
    package var wish: Valuation? {
        get { if case .present(let wish) = self.storedWish { wish } else { nil } }
        set { self.storedWish = newValue.map { .present($0) } ?? .absent }
    }
    private var storedWish = StoredWish.absent

    /// Kept apart: of many channels few have one, and the others are to be small.
    private enum StoredWish: Hashable, Sendable {
        case absent
        indirect case present(Valuation)
    }

    /// When the newest change happened, in milliseconds since 1970 UTC.
    package var changedAt: Int64

    package init(
        name: ChannelName,
        mode: ChannelMode,
        state: ChannelState = .open,
        revision: Revision = .none,
        value: Valuation? = nil,
        wish: Valuation? = nil,
        changedAt: Int64
    ) {
        self.name = name
        self.mode = mode
        self.state = state
        self.revision = revision
        self.value = value
        self.changedAt = changedAt
        self.wish = wish
    }
}

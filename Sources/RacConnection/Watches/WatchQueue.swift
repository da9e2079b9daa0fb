import NIOCore
package import RacProtocol

/// An event of a watch for its program.
package enum WatchEvent: Hashable, Sendable {
    /// A channel as it is, or as it is now.
    case changed(Changed)
    /// All present channels have been reported; only changes follow.
    case synced
}

/// The events of a watch that its program has not taken: only the newest of each channel.
///
/// Semantics: protocol.md, "Watches".
package struct WatchQueue: EventQueue {
    private enum Turn {
        case channel(ChannelName)
        case synced
    }

    private let maximumChannels: Int
    /// The channels in the order of their turns, each at most once.
    private var turns = CircularBuffer<Turn>()
    /// The newest of each channel that waits for its turn.
    private var newest: [ChannelName: Changed] = [:]
    private var isSynced = false

    package init(maximumChannels: Int) {
        self.maximumChannels = maximumChannels
    }

    /// Takes a channel's newest state in; says whether there is room for it.
    package mutating func append(_ changed: Changed) -> Bool {
        guard self.newest.updateValue(changed, forKey: changed.channel) == nil else { return true }
        self.turns.append(.channel(changed.channel))
        return self.newest.count <= self.maximumChannels
    }

    /// The daemon says so once.
    package mutating func appendSynced() {
        guard !self.isSynced else { return }
        self.isSynced = true
        self.turns.append(.synced)
    }

    package mutating func next() -> WatchEvent? {
        switch self.turns.popFirst() {
        case .channel(let name): self.newest.removeValue(forKey: name).map(WatchEvent.changed)
        case .synced: .synced
        case nil: nil
        }
    }
}

package import RacProtocol

/// The states that a watch has reported, over several connections.
///
/// So it reports none twice, and also reports deletions that happened between connections.
///
/// Semantics: protocol.md, "What a client does", 6.
package struct WatchMemory: Sendable {
    private struct Known: Equatable {
        var revision: Revision
        var state: ChannelState
        /// Of the value and the wish: in another epoch the same revision may be another value.
        var hash: Int
    }

    package enum OnChanged: Equatable, Sendable {
        case tell
        case nothing
        /// There are more channels than can be kept.
        case full
    }

    private let maximumChannels: Int
    private var known: [ChannelName: Known] = [:]
    /// The channels known at the loss of the connection that have not been reported again.
    private var missing: Set<ChannelName> = []

    package init(maximumChannels: Int) {
        self.maximumChannels = maximumChannels
    }

    /// The pattern is watched anew.
    package mutating func watchedAnew() {
        self.missing = Set(self.known.keys)
    }

    package mutating func changed(_ changed: Changed) -> OnChanged {
        self.missing.remove(changed.channel)
        guard let state = changed.state else {
            return self.known.removeValue(forKey: changed.channel) == nil ? .nothing : .tell
        }
        var hasher = Hasher()
        hasher.combine(changed.value)
        hasher.combine(changed.wish)
        let known = Known(revision: changed.revision, state: state, hash: hasher.finalize())
        guard self.known.updateValue(known, forKey: changed.channel) != known else { return .nothing }
        return self.known.count > self.maximumChannels ? .full : .tell
    }

    /// All present channels have been reported: the others have been deleted, and had that revision.
    package mutating func synced() -> [(channel: ChannelName, revision: Revision)] {
        let deleted = self.missing.sorted()
        self.missing = []
        return deleted.compactMap { name in self.known.removeValue(forKey: name).map { (name, $0.revision) } }
    }
}

import RacProtocol

/// The channels that a watch showed before its client's rights changed.
struct FormerView {
    /// The log of the pattern as it matched under the old rights.
    let pattern: WatchedPattern

    /// The last revision under the old rights: the client learns no newer one of a channel that it may no longer read.
    let newest: Revision

    /// Whether the client was shown a channel, which it was not if the channel has changed for the first time since.
    func showed(_ channel: HostedChannel) -> Bool {
        channel.firstRevision <= self.newest && self.pattern.shows(channel.name)
    }
}

import RacProtocol

/// The channels that a watch showed before its client's rights changed.
struct FormerView {
    /// The log of the pattern for the rights of then.
    let pattern: WatchedPattern

    /// The newest revision of then: the client learns no newer one of a channel that it may not read any more.
    let newest: Revision

    /// Whether the client was shown a channel, which it was not if the channel has changed for the first time since.
    func showed(_ channel: HostedChannel) -> Bool {
        channel.firstRevision <= self.newest && self.pattern.shows(channel.name)
    }
}

import RacProtocol

/// The channels that a watch showed before its client's rights changed.
struct FormerView {
    /// The log of the pattern for the rights of then.
    let pattern: WatchedPattern

    /// The newest revision of then: the client learns no newer one of a channel that it may not read any more.
    let newest: Revision

    /// The number of the newest channel of then: the client does not know newer ones.
    let last: ChannelNumber

    /// Whether the client was shown a channel.
    func showed(_ channel: HostedChannel) -> Bool { channel.number <= self.last && self.pattern.shows(channel.name) }
}

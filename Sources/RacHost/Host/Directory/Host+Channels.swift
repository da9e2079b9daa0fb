package import RacProtocol

extension Host {
    /// The record of a channel that has ever changed.
    package func knownRecord(_ name: ChannelName) -> ChannelRecord? {
        self.directory.knownRecord(name)
    }

    /// The channel of this name; a new one if there is none and a place is free.
    func channel(_ name: ChannelName) -> HostedChannel? {
        if let channel = self.directory[name] { return channel }
        guard self.directory.count < self.limits.channels else { return nil }
        self.work.spend(Work.channel(name))
        return self.directory.add(name, at: self.time)
    }

    /// Drops a channel without changes and without bindings.
    func forgetIfUnused(_ channel: HostedChannel) {
        guard !channel.machine.isKnown, channel.bindingCount == 0 else { return }
        self.work.spend(Work.channel(channel.name))
        self.directory.remove(channel)
    }
}

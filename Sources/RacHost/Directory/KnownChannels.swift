import RacAccess
import RacProtocol

/// The channels that ever changed and that a client may read, for `list`.
struct KnownChannels: ListedNames {
    let directory: ChannelDirectory
    let rights: Rights?

    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.directory.forEach(in: pattern, after: last, visit)
    }

    func entry(_ name: ChannelName) -> Listed.Entry? {
        guard let channel = self.directory[name], channel.machine.isKnown, self.rights?.allows(.read, name) ?? true
        else { return nil }
        return Listed.Entry(channel)
    }

    var unitsOfVerdict: Int { Work.verdict(self.rights) }

    /// Each binding is visited to count the slow ones.
    func units(of entry: Listed.Entry) -> Int { Work.listed + Work.reading * Int(clamping: entry.bound) }

    func reply(_ entries: [Listed.Entry], more: Bool) -> Reply { .listed(Listed(channels: entries, more: more)) }
}

extension Listed.Entry {
    fileprivate init(_ channel: HostedChannel) {
        let record = channel.machine.record
        self.init(
            channel: record.name,
            revision: record.value?.revision ?? .never,
            state: record.state.word,
            mode: record.mode,
            bound: UInt64(channel.bindingCount),
            changes: channel.changeCount,
            slow: UInt64(channel.slowCount),
            by: record.author?.name
        )
    }
}

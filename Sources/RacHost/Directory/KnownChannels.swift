import RacAccess
import RacProtocol

/// The channels that ever changed, for `list`: a client gets those that it may read.
struct KnownChannels: ListedNames {
    let directory: ChannelDirectory

    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.directory.forEach(in: pattern, after: last, visit)
    }

    func entry(_ name: ChannelName) -> Listed.Entry? {
        guard let channel = self.directory[name], channel.machine.isKnown else { return nil }
        return Listed.Entry(channel)
    }

    func name(of entry: Listed.Entry) -> ChannelName { entry.channel }

    func shows(_ name: ChannelName, to rights: Rights?) -> Bool { rights?.allows(.read, name) ?? true }

    func unitsOfVerdict(by rights: Rights?) -> Int { Work.verdict(rights) }

    /// Each binding is visited to count the slow ones.
    func units(of entry: Listed.Entry) -> Int { Work.listed + Work.reading * Int(clamping: entry.bound) }

    func bytes(of entry: Listed.Entry) -> Int {
        MemoryLayout<Listed.Entry>.stride + entry.channel.text.utf8.count + (entry.by?.utf8.count ?? 0)
    }

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

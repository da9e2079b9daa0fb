import RacProtocol

/// The answer to one `list` under way: a large directory is visited over several ticks.
///
/// Guarded by the host's isolation.
final class Listing: Subscriber {
    private let id: RequestID
    private let pattern: ChannelPattern
    private let most: Int
    private let directory: ChannelDirectory
    private var last: ChannelName?
    private var channels: [Listed.Entry] = []

    init(_ list: List, _ id: RequestID, connection: HostedConnection, directory: ChannelDirectory) {
        self.id = id
        self.pattern = list.pattern
        self.most = min(list.limit.map { Int(clamping: $0) } ?? .max, connection.limits.listedChannels)
        self.last = list.after
        self.directory = directory
        super.init(connection: connection)
    }

    private enum Progress {
        case complete
        case full
        case outOfTurn
    }

    override func serve(at time: Time) -> OnServed {
        let progress = self.proceed()
        if case .outOfTurn = progress { return .unserved }
        let listed = Listed(channels: self.channels, more: progress == .full)
        self.connection.waitingLists -= 1
        self.connection.outgoing.append(.reply(self.id, .listed(listed)))
        return .served
    }

    private func proceed() -> Progress {
        var progress = Progress.complete
        self.directory.forEach(in: self.pattern, after: self.last) { name in
            guard self.connection.unitsLeft > 0 else {
                progress = .outOfTurn
                return false
            }
            self.connection.unitsLeft -= Work.name + Work.match(name, self.pattern)
            if let entry = self.entry(name) {
                guard self.channels.count < self.most else {
                    progress = .full
                    return false
                }
                self.channels.append(entry)
                // Each binding is visited to count the slow ones.
                self.connection.unitsLeft -= Work.reading * Int(clamping: entry.bound)
            }
            self.last = name
            return true
        }
        return progress
    }

    private func entry(_ name: ChannelName) -> Listed.Entry? {
        guard self.pattern.matches(name), let channel = self.directory[name], channel.machine.isKnown else {
            return nil
        }
        return Listed.Entry(channel)
    }
}

extension Listed.Entry {
    fileprivate init(_ channel: HostedChannel) {
        let record = channel.machine.record
        self.init(
            channel: record.name,
            revision: record.value?.revision ?? .none,
            state: record.state.word,
            mode: record.mode,
            bound: UInt64(channel.bindingCount),
            changes: channel.changeCount,
            slow: UInt64(channel.slowCount)
        )
    }
}

import RacProtocol

/// All channels, by name, by number and in the order of their names.
///
/// Guarded by the host's isolation. It is a class because watches and lists under way read the host's directory.
final class ChannelDirectory {
    private var byName = NameTable<HostedChannel>()
    private var byNumber = NumberedChannels()
    private var names: SortedNames
    private var lastNumber = ChannelNumber(0)
    private var systemCount = 0

    /// The bytes of all values and of the errors with which channels ended.
    private(set) var valueBytes = 0

    init(_ channels: [StoredChannel]) {
        self.names = SortedNames(channels.lazy.map(\.record.name))
        self.byName.reserveCapacity(channels.count)
        for channel in channels {
            self.lastNumber = max(self.lastNumber, channel.number)
            self.insert(HostedChannel(channel, isStored: true))
            self.valueBytes += channel.record.valueBytes
        }
    }

    /// The number of channels, including those that are only bound, and the daemon's own.
    var count: Int { self.byName.count }

    /// The number of channels without the daemon's own.
    var clientChannelCount: Int { self.count - self.systemCount }

    subscript(_ name: ChannelName) -> HostedChannel? { self.byName[name] }

    subscript(_ number: ChannelNumber) -> HostedChannel? { self.byNumber[number] }

    /// Whether a channel of this number is there, or was.
    func hadChannel(_ number: ChannelNumber) -> Bool { number.number > 0 && number <= self.lastNumber }

    /// The record of a channel that has ever changed.
    func knownRecord(_ name: ChannelName) -> ChannelRecord? {
        guard let channel = self[name], channel.machine.isKnown else { return nil }
        return channel.machine.record
    }

    /// Adds a channel without a change.
    func add(_ name: ChannelName, at time: Time) -> HostedChannel {
        self.names.insert(name)
        self.lastNumber = self.lastNumber.next
        let record = ChannelRecord(name: name, mode: .shared, changedAt: time.wall)
        let channel = HostedChannel(StoredChannel(number: self.lastNumber, record: record), isStored: false)
        self.insert(channel)
        return channel
    }

    private func insert(_ channel: HostedChannel) {
        if channel.isSystem { self.systemCount += 1 }
        self.byName.put(channel, at: channel.name)
        self.byNumber.insert(channel)
    }

    /// The values of a channel grew, or shrank if the number is negative.
    func resized(by bytes: Int) {
        self.valueBytes += bytes
    }

    func remove(_ channel: HostedChannel) {
        channel.isRemoved = true
        self.byName.remove(channel.name)
        self.byNumber.remove(channel.number)
        self.names.remove(channel.name)
        self.valueBytes -= channel.machine.valueBytes
        if channel.isSystem { self.systemCount -= 1 }
    }

    /// Calls the closure with each name that the pattern may match, in order, until it returns false.
    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.names.forEach(in: pattern, after: last, visit)
    }
}

extension ChannelRecord {
    /// The bytes of its values and its error.
    var valueBytes: Int {
        (self.value?.value.byteCount ?? 0) + (self.wish?.value.byteCount ?? 0) + self.state.byteCount
    }
}

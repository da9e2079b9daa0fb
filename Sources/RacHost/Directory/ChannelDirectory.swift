import RacProtocol

/// All channels, by name, by number and in the order of their names.
struct ChannelDirectory {
    private var byName: [ChannelName: HostedChannel] = [:]
    private var byNumber: [UInt64: HostedChannel] = [:]
    private var names: SortedNames
    private var lastNumber: UInt64 = 0
    private var systemCount = 0

    /// The bytes of all values.
    private(set) var valueBytes = 0

    init(_ records: [ChannelRecord]) {
        self.names = SortedNames(records.lazy.map(\.name))
        self.byName.reserveCapacity(records.count)
        self.byNumber.reserveCapacity(records.count)
        for record in records {
            self.insert(record)
            self.valueBytes += record.valueBytes
        }
    }

    /// How many channels there are, those that were only bound, and the daemon's own, too.
    var count: Int { self.byName.count }

    /// The same without the daemon's own.
    var clientChannelCount: Int { self.count - self.systemCount }

    subscript(_ name: ChannelName) -> HostedChannel? { self.byName[name] }

    subscript(number number: UInt64) -> HostedChannel? { self.byNumber[number] }

    /// Makes a channel to which nothing has happened yet.
    mutating func add(_ name: ChannelName, at time: Time) -> HostedChannel {
        self.names.insert(name)
        return self.insert(ChannelRecord(name: name, mode: .shared, changedAt: time.wall))
    }

    @discardableResult
    private mutating func insert(_ record: ChannelRecord) -> HostedChannel {
        self.lastNumber += 1
        if record.name.isReserved { self.systemCount += 1 }
        let channel = HostedChannel(number: self.lastNumber, record: record)
        self.byName[record.name] = channel
        self.byNumber[self.lastNumber] = channel
        return channel
    }

    /// A channel's values grew, or shrank.
    mutating func resized(by bytes: Int) {
        self.valueBytes += bytes
    }

    mutating func remove(_ channel: HostedChannel) {
        self.byName[channel.name] = nil
        self.byNumber[channel.number] = nil
        self.names.remove(channel.name)
        self.valueBytes -= channel.machine.valueBytes
        if channel.isSystem { self.systemCount -= 1 }
    }

    /// Calls the closure with each name that a pattern may match, in order, until it says false.
    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.names.forEach(in: pattern, after: last, visit)
    }
}

extension ChannelRecord {
    /// What its values take.
    var valueBytes: Int { (self.value?.value.byteCount ?? 0) + (self.wish?.value.byteCount ?? 0) }
}

import RacProtocol
import RacStore

/// A disk that keeps apart written and synced states; a transaction is there whole or not at all.
struct SimulatedDisk {
    struct Content: Hashable {
        var channels: [ChannelNumber: ChannelRecord] = [:]
        var reserved = Revision.never

        var records: [ChannelName: ChannelRecord] {
            Dictionary(uniqueKeysWithValues: self.channels.values.map { ($0.name, $0) })
        }
    }

    /// The state that a starting process finds.
    private(set) var content: Content
    /// The states that a loss of power may leave, oldest first: the synced one, and each state since but the last.
    private var older: [Content] = []
    var isFull = false
    /// Whether the files are elsewhere for now, so that a start would not find them; a daemon that has them open writes on.
    var isMoved = false

    init(_ content: Content) {
        self.content = content
    }

    mutating func commit(_ work: CommitQueueStateMachine.Work, _ durability: Durability) {
        // A reservation is synced whatever the durability, and with it everything before.
        let isSynced = durability == .full || work.reservation != nil
        self.older = isSynced ? [] : self.older + [self.content]
        if let greatest = work.removesBeyond {
            self.content.channels = self.content.channels.filter { $0.key <= greatest }
        }
        for change in work.changes.values {
            switch change {
            case .put(let channel): self.content.channels[channel.number] = channel.record
            case .remove(let number): self.content.channels[number] = nil
            }
        }
        if let reservation = work.reservation { self.content.reserved = reservation }
    }

    /// The number of states that a loss of power may leave, without the newest.
    var doubtfulCount: Int { self.older.count }

    /// The power fails, and this many of the newest commits are lost.
    mutating func losePower(_ commits: Int) {
        guard commits > 0 else { return self.older = [] }
        self.content = self.older[self.older.count - commits]
        self.older = []
    }

    /// One channel is lost, which no sound disk does.
    mutating func tear(_ channel: ChannelNumber) {
        self.content.channels[channel] = nil
    }
}

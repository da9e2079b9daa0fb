/// A channel as the store keeps it.
package struct StoredChannel: Hashable, Sendable {
    package let number: ChannelNumber
    package let record: ChannelRecord

    package init(number: ChannelNumber, record: ChannelRecord) {
        self.number = number
        self.record = record
    }
}

/// What became of one channel.
package enum StoreChange: Hashable, Sendable {
    /// The channel is like this now.
    ///
    /// Indirect: it goes through several hands and two threads, and has half a dozen references to count in each.
    indirect case put(StoredChannel)
    /// The channel is gone.
    case remove(ChannelNumber)

    package var number: ChannelNumber {
        switch self {
        case .put(let channel): channel.number
        case .remove(let number): number
        }
    }
}

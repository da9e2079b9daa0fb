/// A channel in the form that the store keeps.
package struct StoredChannel: Hashable, Sendable {
    package let number: ChannelNumber
    package let record: ChannelRecord

    package init(number: ChannelNumber, record: ChannelRecord) {
        self.number = number
        self.record = record
    }
}

/// The change of one channel, for the store.
package enum StoreChange: Hashable, Sendable {
    /// The channel has this content now.
    ///
    /// Indirect: the channel passes through several functions and two threads, with half a dozen references to count in
    /// each.
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

/// The channels of writers and readers.
package struct Topology: Equatable, Sendable {
    /// Clients that write; channel c is written by client c modulo their number, so that each channel has one order.
    package var writers: Int
    package var channels: Int
    /// Clients that read, whose numbers follow those of the writers.
    package var readers: Int
    /// The number of channels that each reader is bound to; divides the number of channels.
    package var bindingsEach: Int

    package init(writers: Int, channels: Int, readers: Int, bindingsEach: Int) {
        precondition(channels.isMultiple(of: bindingsEach), "bindings are spread evenly")
        precondition((readers * bindingsEach).isMultiple(of: channels), "every channel has as many readers")
        self.writers = writers
        self.channels = channels
        self.readers = readers
        self.bindingsEach = bindingsEach
    }

    package var readersOfEach: Int {
        self.readers * self.bindingsEach / self.channels
    }

    package func channels(ofWriter writer: Int) -> [Int] {
        Array(stride(from: writer, to: self.channels, by: self.writers))
    }

    package func channels(ofReader reader: Int) -> [Int] {
        (0..<self.bindingsEach).map { (reader + $0 * self.spacing) % self.channels }
    }

    /// Which of a reader's bindings a channel is; nil if it is none.
    @inline(__always)
    func binding(of channel: Int, atReader reader: Int) -> Int? {
        guard 0..<self.channels ~= channel else { return nil }
        let distance = (channel - reader % self.channels + self.channels) % self.channels
        guard self.spacing > 1 || self.bindingsEach == self.channels else { return distance == 0 ? 0 : nil }
        return distance.isMultiple(of: self.spacing) ? distance / self.spacing : nil
    }

    /// How far a reader's channels are from each other.
    private var spacing: Int {
        self.channels / self.bindingsEach
    }
}

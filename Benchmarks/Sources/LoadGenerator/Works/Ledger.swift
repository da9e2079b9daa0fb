/// The deliveries of the values that are under way.
///
/// A send is under way until every reader of its channel has it. That is counted alike for every protocol, at the readers:
/// no server gains by acknowledging early, and the slowest reader is waited for.
package struct Ledger {
    package private(set) var sent = 0
    package private(set) var deliveries = 0
    /// Values that were left out: a later one of the same channel came first.
    package private(set) var gaps = 0
    /// Values that came twice, out of order, to a reader that is not bound, or that nobody sent.
    package private(set) var disorder = 0

    private let topology: Topology
    private let window: Int
    /// Power of two, at least the window.
    private let ring: Int
    /// The newest number of each channel.
    private var newest: [Int]
    /// The number of readers that a value under way has not reached, by channel and number.
    private var left: [Int]
    /// The last number that came, by reader and binding.
    private var last: [Int]
    /// The number of sends that each writer has under way.
    private var underWay: [Int]

    package init(_ topology: Topology, window: Int) {
        var ring = 1
        while ring < window { ring *= 2 }
        self.topology = topology
        self.window = window
        self.ring = ring
        self.newest = Array(repeating: 0, count: topology.channels)
        self.left = Array(repeating: 0, count: topology.channels * ring)
        self.last = Array(repeating: 0, count: topology.readers * topology.bindingsEach)
        self.underWay = Array(repeating: 0, count: topology.writers)
    }

    /// Deliveries that are still to come, gaps apart.
    package var missing: Int {
        self.sent * self.topology.readersOfEach - self.deliveries - self.gaps
    }

    package func hasRoom(_ writer: Int) -> Bool {
        self.underWay[writer] < self.window
    }

    /// The writer of `channel` sends the value that this returns.
    package mutating func send(on channel: Int) -> NumberedValue {
        self.sent += 1
        self.underWay[channel % self.topology.writers] += 1
        self.newest[channel] += 1
        self.left[self.slot(channel, self.newest[channel])] = self.topology.readersOfEach
        return NumberedValue(channel: channel, number: self.newest[channel])
    }

    /// Values came to a reader; writers that have room by that are added to `freed`.
    package mutating func arrived(_ arrivals: [Arrival], atReader reader: Int, freeing freed: inout Set<Int>) {
        var last: Int?
        for case .value(let value) in arrivals {
            guard let writer = self.arrived(value, atReader: reader), writer != last else { continue }
            freed.insert(writer)
            last = writer
        }
    }

    /// A value came to a reader.
    ///
    /// - Returns: The writer that has room for one more by that; nil if nobody has.
    @inline(__always)
    package mutating func arrived(_ value: NumberedValue, atReader reader: Int) -> Int? {
        guard let binding = self.topology.binding(of: value.channel, atReader: reader) else { return self.isDisorder() }
        let place = reader * self.topology.bindingsEach + binding
        let last = self.last[place]
        guard value.number > last, value.number <= self.newest[value.channel] else { return self.isDisorder() }
        self.last[place] = value.number
        self.deliveries += 1
        self.gaps += value.number - last - 1
        var writer: Int?
        // A value that was left out will not come any more, so nothing waits for it.
        for number in last + 1...value.number where self.isLast(self.slot(value.channel, number)) {
            writer = value.channel % self.topology.writers
            self.underWay[value.channel % self.topology.writers] -= 1
        }
        return writer
    }

    private mutating func isLast(_ slot: Int) -> Bool {
        self.left[slot] -= 1
        return self.left[slot] == 0
    }

    private mutating func isDisorder() -> Int? {
        self.disorder += 1
        return nil
    }

    private func slot(_ channel: Int, _ number: Int) -> Int {
        channel * self.ring + number & (self.ring - 1)
    }
}

import FoundationEssentials

/// Counts racd's allocations, and their bytes, while it does one thing.
///
/// These are counts and no times: they hardly depend on the machine or on what else it does. One thing is under way at a
/// time, so that nothing is shared between several.
package struct Costs: Sendable {
    /// Something that the daemon does for a client.
    package enum Operation: Sendable {
        /// A request of which nothing is decided: decoding and a reply.
        case ping
        case get
        case set
        /// A change that is on disk when it is answered.
        case durableSet
        /// A send to so many readers.
        case send(readers: Int, valueBytes: Int)
    }

    /// The cost of one operation.
    package struct Cost: Sendable {
        package var allocations: Double
        package var bytes: Double

        /// The cost of one of `count` things more, by which the other costs less.
        package func less(_ other: Cost, dividedBy count: Int) -> Cost {
            Cost(
                allocations: (self.allocations - other.allocations) / Double(count),
                bytes: (self.bytes - other.bytes) / Double(count)
            )
        }
    }

    /// The repetitions for one figure, and the number of figures, the lowest of which counts.
    ///
    /// The daemon's own work, once a second, makes other counts higher.
    private static let repetitions = 1000
    private static let figures = 3
    private static let patience: Int32 = 10_000

    /// The file in which the daemon's allocations are counted; see CAllocationCounter.
    private let counts: String

    package init(counts: String) {
        self.counts = counts
    }

    package func measure(_ operation: Operation, _ server: Server) throws -> Cost {
        var (readers, valueBytes) = (0, 20)
        if case .send(let count, let bytes) = operation { (readers, valueBytes) = (count, bytes) }
        let crowd = try Crowd(of: 1 + readers, at: server) { index in
            guard readers > 0 else { return Crowd.Wish() }
            return index == 0 ? Crowd.Wish(writes: [0]) : Crowd.Wish(reads: [0])
        }
        var number = 0
        var best = Cost(allocations: .infinity, bytes: .infinity)
        // The first one warms up: buffers get as large as they will be.
        for _ in 0...Self.figures {
            let before = try self.total()
            for _ in 0..<Self.repetitions {
                number += 1
                let value = NumberedValue(channel: 0, number: number)
                try self.perform(operation, value, valueBytes: valueBytes, awaiting: max(1, readers), of: crowd)
            }
            let cost = try self.total().less(before, dividedBy: Self.repetitions)
            if cost.allocations < best.allocations { best = cost }
        }
        return best
    }

    /// Asks for it and waits until it is done: a reply to a request, or the value at every reader.
    private func perform(
        _ operation: Operation,
        _ value: NumberedValue,
        valueBytes: Int,
        awaiting count: Int,
        of crowd: Crowd
    ) throws {
        try crowd.clients[0].say { dialect, bytes in
            switch operation {
            case .ping: FrameWriter.append(#"{"op":"ping","id":1}"#, to: &bytes)
            case .get: FrameWriter.append(#"{"op":"get","id":1,"channel":"bench/0"}"#, to: &bytes)
            case .set: dialect.store(value, byteCount: valueBytes, durably: false, into: &bytes)
            case .durableSet: dialect.store(value, byteCount: valueBytes, durably: true, into: &bytes)
            case .send: dialect.send(value, byteCount: valueBytes, into: &bytes)
            }
        }
        var arrived = 0
        while arrived < count {
            let any = try crowd.receive(waiting: .milliseconds(Self.patience)) { _, arrivals in
                arrived += arrivals.count { $0 == .answered || $0 == .value(value) }
            }
            guard any else { throw ProtocolError.late("an answer") }
        }
    }

    /// All that was asked for so far.
    private func total() throws -> Cost {
        let data = try Data(contentsOf: URL(filePath: self.counts))
        guard data.count == 16 else { throw SetupError("\(self.counts) must have 16 bytes") }
        let numbers = data.withUnsafeBytes { bytes in
            [0, 8].map { Double(bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
        }
        return Cost(allocations: numbers[0], bytes: numbers[1])
    }
}

import RacConnection
import RacProtocol

/// Measures the daemon at the given address, with channels of its own.
struct Bench {
    private let context: CommandContext
    private let channels: BenchChannels
    /// The duration of each measurement.
    private let time: Duration

    init(context: CommandContext, time: Duration) {
        self.context = context
        self.channels = BenchChannels(over: context.connection)
        self.time = time
    }

    func run() async throws -> BenchFigures {
        BenchFigures(
            roundTrips: try await self.roundTrips(),
            setsPerSecond: try await self.sets(sync: false),
            syncedSetsPerSecond: try await self.sets(sync: true),
            deliveriesPerSecond: try await self.deliveries()
        )
    }

    private func roundTrips() async throws -> [Double] {
        var roundTrips: [Double] = []
        let end = ContinuousClock.now + self.time
        repeat {
            let start = ContinuousClock.now
            try await self.context.connection.ping()
            roundTrips.append((ContinuousClock.now - start).inMilliseconds)
        } while .now < end
        return roundTrips.sorted()
    }

    private func sets(sync: Bool) async throws -> Double {
        try await self.channels.with(sync ? "disk" : "memory", mode: .shared) { channel in
            let connection = self.context.connection
            let start = ContinuousClock.now
            let end = start + self.time
            let counts = try await (0..<BenchFigures.underWay).map(atOnce: BenchFigures.underWay) { writer in
                var count = 0
                repeat {
                    var set = SetValue(channel: channel, value: .integer(writer * 1_000_000 + count))
                    set.sync = sync
                    _ = try await connection.change(.set(set))
                    count += 1
                } while .now < end
                return count
            }
            return Double(counts.reduce(0, +)) / ((ContinuousClock.now - start) / .seconds(1))
        }
    }

    /// Each binder waits for each value, so a missing one would be noticed: the benchmark would not end.
    private func deliveries() async throws -> Double {
        try await self.channels.with("fan-out", mode: .paired) { channel in
            var readers: [FanOutReader] = []
            for _ in 0..<BenchFigures.binders {
                readers.append(try await FanOutReader(of: channel, over: try await self.context.another()))
            }
            var bind = Bind(channel: channel)
            bind.role = .leading
            let writer = try await self.context.connection.bind(bind)
            let start = ContinuousClock.now
            var sent = 0
            repeat {
                for _ in 0..<BenchFigures.underWay {
                    sent += 1
                    try await writer.send(.integer(sent))
                }
                let last = JSONText.integer(sent)
                _ = try await readers.map(atOnce: readers.count) { try await $0.read(upTo: last) }
            } while ContinuousClock.now - start < self.time
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            for reader in readers { await reader.close() }
            return Double(sent * readers.count) / seconds
        }
    }
}

/// One of many binders of a channel.
private struct FanOutReader: Sendable {
    private let connection: DaemonConnection
    private let binding: ChannelBinding

    init(of channel: ChannelName, over connection: DaemonConnection) async throws {
        self.connection = connection
        self.binding = try await connection.bind(Bind(channel: channel))
    }

    func read(upTo last: JSONText) async throws {
        for try await event in self.binding {
            if case .value(let value) = event, value.value == last { return }
        }
        throw CommandFailure(.other, code: "bench", "a value did not arrive")
    }

    func close() async {
        await self.connection.close()
    }
}

import CGlibc
import Foundation
import RacClient
import RacTestKit

/// The libraries at work for long, each kind of work with a daemon and two programs of its own.
///
/// It measures the heap of the whole process, so it runs in a process of its own.
enum Soak {
    /// One kind of work.
    struct Work: Sendable {
        /// Does the steps with these numbers.
        typealias Round = @Sendable (Range<Int>) async throws -> Void

        let name: String
        /// The number of cheap steps that a step counts for.
        let price: Int
        /// The bytes of heap that come and go between two moments of rest.
        let slack: Int
        let begin: @Sendable (Bench) async throws -> Round

        init(
            _ name: String,
            price: Int = 1,
            slack: Int = 6 << 10,
            _ begin: @escaping @Sendable (Bench) async throws -> Round
        ) {
            self.name = name
            self.price = price
            self.slack = slack
            self.begin = begin
        }

        /// Work that does one step at a time.
        static func steps(
            _ name: String,
            price: Int = 1,
            slack: Int = 6 << 10,
            _ begin: @escaping @Sendable (Bench) async throws -> @Sendable (Int) async throws -> Void
        ) -> Work {
            Work(name, price: price, slack: slack) { bench in
                let step = try await begin(bench)
                return { numbers in for number in numbers { try await step(number) } }
            }
        }
    }

    /// A daemon and two of its programs.
    struct Bench: Sendable {
        let daemon = TestDaemon()
        let one: Client
        let other: Client

        init() {
            var configuration = ClientConfiguration()
            configuration.replyTimeout = .seconds(600)
            self.one = self.daemon.client(configuration: configuration)
            self.other = self.daemon.client(configuration: configuration)
        }

        /// Waits until both programs have handled what the other one has caused.
        func settle() async throws {
            for client in [self.one, self.other, self.one] { try await client.ping() }
        }

        func end() async {
            await self.one.close()
            await self.other.close()
            await self.daemon.stop()
        }
    }

    /// The number of writes, runs, ticks and subscriptions, each kind of work with its share; RAC_SOAK sets it.
    static let count = Self.wanted ?? 4_000
    static let isLong = Self.wanted != nil
    private static let wanted = ProcessInfo.processInfo.environment["RAC_SOAK"].flatMap { Int($0) }
    /// The first rounds fill caches, and do not count.
    private static let (firstRounds, rounds) = (3, 12)
    /// The beginning of the line about work that takes more heap with each step.
    static let growing = "grows: "

    /// Does all work, and writes a line about each kind of it.
    static func run() async throws {
        // The first work of a process fills its caches.
        _ = try await Self.line(about: Self.writes[0], steps: 60)
        for works in [Self.writes, Self.runs, Self.ticks, Self.subscriptions, Self.losses] {
            for work in works {
                let steps = Self.count / works.count / work.price / (Self.firstRounds + Self.rounds)
                var line = try await Self.line(about: work, steps: max(2, steps))
                // A busy machine leaves more heap for a moment. A leak takes more with more steps, and comes again.
                if line.hasPrefix(Self.growing) { line = try await Self.line(about: work, steps: 4 * max(2, steps)) }
                Self.report(line)
            }
        }
    }

    private static func line(about work: Work, steps: Int) async throws -> String {
        let bench = Bench()
        var heaps: [Int] = []
        var times: [Duration] = []
        do {
            let round = try await work.begin(bench)
            for number in 0..<Self.firstRounds + Self.rounds {
                let time = try await ContinuousClock().measure {
                    try await round(number * steps..<(number + 1) * steps)
                    try await bench.settle()
                }
                guard number >= Self.firstRounds else { continue }
                heaps.append(Self.heap)
                times.append(time / steps)
            }
        }
        await bench.end()
        let part = Self.rounds / 3
        // Heap that comes and goes makes this less, never more.
        let growth = (heaps.suffix(part).min() ?? 0) - (heaps.prefix(part).max() ?? 0)
        let counted = steps * (Self.rounds - 2 * part + 1)
        let isGrowing = growth > work.slack + counted * Self.bytesOfStep
        let (first, last) = (Self.middle(times.prefix(part)), Self.middle(times.suffix(part)))
        return "\(isGrowing ? Self.growing : "")\(work.name): \(steps * heaps.count) steps, "
            + "\(growth) bytes more after \(counted), \(first) a step at first, \(last) at last"
    }

    /// The heap of a step that counts as a leak: less than the smallest block.
    private static let bytesOfStep = 8

    private static func middle(_ times: ArraySlice<Duration>) -> Duration { times.sorted()[times.count / 2] }

    /// The bytes of all blocks in use.
    private static var heap: Int {
        let blocks = mallinfo2()
        return Int(blocks.uordblks) + Int(blocks.hblkhd)
    }

    private static func report(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}

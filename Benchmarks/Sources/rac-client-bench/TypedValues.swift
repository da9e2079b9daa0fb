internal import Glibc
internal import LoadGenerator
internal import RacClient
internal import Synchronization

/// Measures how many typed values a second reach an observer of a remote property and of a remote terminal.
enum TypedValues {
    private static let values = 200_000
    private static let runs = 5
    private static let ring = 64

    static func measure() async throws -> Table {
        var table = Table(
            "Typed values a second into one client, medians of \(Self.runs) runs",
            explanation: [
                "A core is the processor time of the client's event loop alone, the kernel's part of it too;",
                "a clock's second has the sender in it, which shares the machine.",
            ],
            columns: ["terminal: a core", "a clock", "property: a core", "a clock"]
        )
        try await Self.add("Int", Int.self, to: &table) { "\($0 &* 7_919_317 % 100_000_000)" }
        try await Self.add("Double, short", Double.self, to: &table) { "\(Double($0) / 8 + 20.5)" }
        try await Self.add("Double, 16 digits", Double.self, to: &table) { "\(1 / Double($0 + 3))" }
        try await Self.add("String", String.self, to: &table) { "\"the name of lamp \($0)\"" }
        try await Self.add("String with escapes", String.self, to: &table) { "\"lamp\\n\\\"\($0)\\\"\"" }
        try await Self.add("Bool?", Bool?.self, to: &table) { ["true", "false", "null"][$0 % 3] }
        try await Self.add("[Double], of 4", [Double].self, to: &table) { "[\($0).5,0.25,1,\($0)e2]" }
        return table
    }

    private static func add<Value: Codable & Sendable>(
        _ label: String,
        _ type: Value.Type,
        to table: inout Table,
        _ text: (Int) -> String
    ) async throws {
        let texts = (0..<Self.ring).map(text)
        var cells: [String] = []
        for mode in ["paired", "shared"] {
            var (core, clock): ([Double], [Double]) = ([], [])
            for _ in 0..<Self.runs {
                let seconds = try await Self.run(type, mode: mode, texts)
                core.append(Double(Self.values) / seconds.core)
                clock.append(Double(Self.values) / seconds.clock)
            }
            cells += [core, clock].map { $0.sorted()[Self.runs / 2].text(decimals: 0) }
        }
        table.add(label, cells)
    }

    /// Feeds one client and returns how long its event loop took for the values after the first tenth.
    private static func run<Value: Codable & Sendable>(
        _ type: Value.Type,
        mode: String,
        _ texts: [String]
    ) async throws -> (core: Double, clock: Double) {
        let feed = try ValueFeed(mode: mode, texts: texts)
        let server = Task.detached { try feed.serve() }
        let client = Client(.tcp(host: "127.0.0.1", port: feed.port))
        let (finished, continuation) = AsyncStream<(core: Double, clock: Double)>.makeStream()
        let stopwatch = Stopwatch(skipping: Self.values / 10, counting: Self.values) { continuation.yield($0) }
        var seconds: (core: Double, clock: Double)?
        if mode == "paired" {
            let terminal = try client.terminal("bench", .following, as: type)
            let subscription = terminal.signal.observe { if $0.value != nil { stopwatch.count() } }
            seconds = await finished.first { _ in true }
            subscription.dispose()
        } else {
            let property = try client.property("bench", as: type)
            let subscription = property.signal.observe { if $0.value != nil { stopwatch.count() } }
            seconds = await finished.first { _ in true }
            subscription.dispose()
        }
        await client.close()
        // The feed ends by the error of a connection that the client has closed.
        _ = try? await server.value
        return seconds ?? (.infinity, .infinity)
    }
}

/// Reads the clocks at the first and at the last of the counted values, on the thread that delivers them.
private final class Stopwatch: Sendable {
    private struct State {
        var values = 0
        var core = 0.0
        var clock = 0.0
    }

    private let state = Mutex(State())
    private let skipped: Int
    private let counted: Int
    private let finish: @Sendable ((core: Double, clock: Double)) -> Void

    init(
        skipping skipped: Int,
        counting counted: Int,
        _ finish: @escaping @Sendable ((core: Double, clock: Double)) -> Void
    ) {
        self.skipped = skipped
        self.counted = counted
        self.finish = finish
    }

    func count() {
        let seconds: (core: Double, clock: Double)? = self.state.withLock { state in
            state.values += 1
            if state.values == self.skipped {
                state.core = Self.seconds(CLOCK_THREAD_CPUTIME_ID)
                state.clock = Self.seconds(CLOCK_MONOTONIC)
            }
            guard state.values == self.skipped + self.counted else { return nil }
            return (
                Self.seconds(CLOCK_THREAD_CPUTIME_ID) - state.core, Self.seconds(CLOCK_MONOTONIC) - state.clock
            )
        }
        if let seconds { self.finish(seconds) }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

internal import ArgumentParser
internal import CAllocations
internal import FoundationEssentials
internal import LoadGenerator
internal import RacClient
internal import Synchronization

/// Measures values on their way into a program: how many of a plain type a second, and the allocations for one structure.
@main
struct RacClientBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rac-client-bench",
        abstract: "Measures typed values into a client, and fails where allocations for one are above their limit.",
        discussion: "README.md tells what is counted."
    )

    /// The allocations that a value may cost over the decoding of its JSON.
    private static let limit = 1.0
    private static let values = 20_000
    /// The number of values on their way at a time.
    private static let window = 64

    @Option(help: ArgumentHelp("The racd to measure with.", valueName: "path"))
    var racd: String

    @Option(help: ArgumentHelp("Where its log goes.", valueName: "path"))
    var folder: String

    @Flag(help: "Leave the allocations out.")
    var typedOnly = false

    func run() async throws {
        print(try await TypedValues.measure())
        if !self.typedOnly { try await self.countAllocations() }
    }

    private func countAllocations() async throws {
        let racd = try ServerProcess(.racdInMemory(self.racd), for: .broadcast, core: nil, folder: self.folder)
        let address = DaemonAddress.tcp(host: "127.0.0.1", port: Int(racd.server.endpoint.port))
        let decoding = try Self.decoding()
        let receiving = try await Self.receiving(at: address)
        try racd.stop()
        var table = Table(
            "What a remote property asks of memory for one value",
            explanation: ["Structures of three members; \(Self.window) sets under way."],
            columns: ["allocations"]
        )
        table.add("decoding alone", [decoding.text(decimals: 2)])
        table.add("received, decoded and told", [receiving.text(decimals: 2)])
        table.add("more than the decoding", [(receiving - decoding).text(decimals: 2)])
        print(table)
        guard receiving - decoding <= Self.limit else {
            print("Above the limit of \(Self.limit).")
            throw ExitCode.failure
        }
    }

    /// The allocations of one decoding, as the client does it.
    private static func decoding() throws -> Double {
        let text = try JSONText(encoding: Lamp(isOn: true, level: 0.5, number: 7)).text
        let bytes = Array(text.utf8)
        let decoder = JSONDecoder()
        var sum = try decoder.decode(Lamp.self, from: Data(bytes)).number
        let before = callocations_of_this_thread()
        for _ in 0..<Self.values { sum &+= try decoder.decode(Lamp.self, from: Data(bytes)).number }
        let allocations = callocations_of_this_thread() - before
        precondition(sum == 7 * (Self.values + 1), "Every value is decoded.")
        return Double(allocations) / Double(Self.values)
    }

    /// The allocations of the receiving client's event loop for one value.
    private static func receiving(at address: DaemonAddress) async throws -> Double {
        // Clients take the event loops in turn, so the writers' work is another thread's.
        let (receiver, writer) = (Client(address), Client(address))
        let lamp = try receiver.property("lamp", as: Lamp.self)
        let counter = Counter()
        lamp.terminal().signal.observe { event in if event.value != nil { counter.count() } }
        try await receiver.ping()
        for number in 0..<1000 { try await writer.set("lamp", JSONText(encoding: Lamp(number: number))) }
        try await receiver.ping()
        counter.begin()
        for start in stride(from: 0, to: Self.values, by: Self.window) {
            try await withThrowingTaskGroup { group in
                for number in start..<start + Self.window {
                    let value = try JSONText(encoding: Lamp(number: number))
                    group.addTask { try await writer.set("lamp", value) }
                }
                try await group.waitForAll()
            }
        }
        try await receiver.ping()
        await receiver.close()
        await writer.close()
        return counter.allocationsPerValue
    }
}

/// The type of the property's values.
private struct Lamp: Codable, Sendable {
    var isOn = true
    var level = 0.5
    var number: Int
}

/// Counts values and the allocations of the thread that delivers them.
private final class Counter: Sendable {
    private struct State {
        var values = 0
        var first: Int?
        var last = 0
    }

    private let state = Mutex(State())

    func begin() {
        self.state.withLock { $0 = State() }
    }

    func count() {
        let allocations = callocations_of_this_thread()
        self.state.withLock { state in
            if state.first == nil { state.first = allocations } else { state.values += 1 }
            state.last = allocations
        }
    }

    var allocationsPerValue: Double {
        self.state.withLock { Double($0.last - ($0.first ?? 0)) / Double(max(1, $0.values)) }
    }
}

import Expectations
import Logging
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProblemTests {
    @Test("The first value of a channel of another type is an error, for those who come late too")
    func firstValue() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            try await p.set("N", .string("abc"))
            let property = try await world.open(p, "N", as: Int.self)
            for _ in 0..<2 {
                let error = await #expect(throws: ClientError.self) { try await property.firstValue() }
                expect(error?.code == .badValue)
            }
            expect(property.problem.value?.code == .badValue)
            try await p.set("N", .integer(1))
            try await eventually { property.value == 1 }
            expect(try await property.firstValue() == 1)
            expect(property.problem.value == nil)
        }
    }

    @Test("A refused write is a problem until a write is applied, and a waiting reader does not hear of it")
    func refusedWrite() async throws {
        try await World.with(.unix) { world in
            let property = try await world.open(world.program(), "N", as: Double.self)
            async let first = property.firstValue()
            property.send(.nan)
            try await property.settled()
            expect(property.problem.value?.code == .badValue)
            try await property.write(2)
            expect(property.problem.value == nil)
            expect(try await first == 2)
        }
    }

    @Test("The log warns of each kind of problem once, and of a lost connection once")
    func logging() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let records = Log<String>()
            var configuration = ClientConfiguration.quick
            var logger = Logger(label: "test") { _ in KeptLog(records) }
            logger.logLevel = .trace
            configuration.logger = logger
            let client = Client(daemon.address, configuration: configuration)
            let numbers = try client.property("N", as: Int.self)
            for text in ["a", "b", "c"] { try await client.set("N", .string(text)) }
            let version = try client.property(raw: "$sys/version")
            for _ in 0..<3 {
                await #expect(throws: ClientError.self) { try await version.write(.null) }
            }
            try await numbers.settled()
            try await client.ping()
            expect(
                records.entries.filter { $0.hasPrefix("warning") } == [
                    "warning a value could not be read N bad-value",
                    "warning a write was refused $sys/version forbidden",
                ]
            )
            expect(records.entries.filter { $0 == "debug a value could not be read N bad-value" }.count == 2)
            try await daemon.stop()
            try await eventually { records.entries.contains { $0.hasPrefix("debug no connection") } }
            expect(records.entries.filter { $0.hasPrefix("warning no connection") }.count == 1)
            await client.close()
        }
    }

    @Test("A write to what came from a closed client says that it is closed", arguments: [false, true])
    func closed(wasUsed: Bool) async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let property = try client.property("N", as: Int.self)
            let terminal = try client.terminal("P", .leading, as: Int.self)
            if wasUsed {
                try await property.write(1)
                try await terminal.write(1)
            }
            await client.close()
            expect(await #expect(throws: ClientError.self) { try await property.write(2) }?.code == .closed)
            expect(await #expect(throws: ClientError.self) { try await terminal.write(2) }?.code == .closed)
        }
    }

    @Test("Each state of the connection is delivered once")
    func connectionStates() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let states = Recorder(client.connection)
            try await client.ping()
            await client.close()
            expect(states.values == [.connecting, .live, .closed])
        }
    }
}

/// A log of level, message, and the values of some keys.
struct KeptLog: LogHandler {
    let records: Log<String>
    let keys: [String]
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ records: Log<String>, of keys: [String] = ["channel", "code"]) {
        self.records = records
        self.keys = keys
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = self.keys.compactMap { event.metadata?[$0] }.map { " \($0)" }.joined()
        self.records.append("\(event.level) \(event.message)\(details)")
    }
}

import Rac
import RacClient
import RacTesting
import Testing

/// A daemon and the clients of a test.
actor World {
    nonisolated let daemon: LocalDaemon
    private var clients: [Client] = []
    private var settling: [@Sendable () async throws -> Void] = []

    private init(_ daemon: LocalDaemon) {
        self.daemon = daemon
    }

    /// Runs a test in a world of its own.
    static func with(
        _ transport: Transport,
        keepsChannels: Bool = true,
        _ test: (World) async throws -> Void
    ) async throws {
        try await LocalDaemon.with(transport, keepsChannels: keepsChannels) { daemon in
            let world = World(daemon)
            do {
                try await test(world)
            } catch {
                await world.close()
                throw error
            }
            await world.close()
        }
    }

    private func close() async {
        for client in self.clients { await client.close() }
        self.settling = []
    }

    /// Another program.
    func program() -> Client {
        let client = Client(self.daemon.address, configuration: .quick)
        self.clients.append(client)
        return client
    }

    /// A side of a plain channel that takes part in settling.
    func attach(_ client: Client, _ name: String, _ role: Role) throws -> RemoteTerminal<Int> {
        let terminal = try client.terminal(name, role, as: Int.self)
        self.settling.append { [weak terminal] in try await terminal?.settled() }
        return terminal
    }

    /// A remote property that takes part in settling.
    func open<Value: Codable & Sendable>(
        _ client: Client,
        _ name: String,
        as type: Value.Type
    ) throws -> RemoteProperty<Value> {
        let property = try client.property(name, as: type)
        self.settling.append { [weak property] in try await property?.settled() }
        return property
    }

    /// Waits until everything that was sent is taken in, and what followed from it has been delivered.
    ///
    /// A binding passes a value on by another send, so one round settles one step of a chain.
    func settle(rounds: Int = 4) async throws {
        for _ in 0..<rounds {
            for settled in self.settling { try await settled() }
            for client in self.clients where !client.isClosed { try await client.ping() }
        }
    }
}

extension Client {
    var isClosed: Bool {
        if case .closed = self.connection.value { true } else { false }
    }
}

/// Waits until something is so.
func eventually(_ isSo: () async throws -> Bool) async throws {
    // The pause leaves the processor to the tests that run beside this one.
    while try await !isSo() { try await Task.sleep(for: .milliseconds(1)) }
}

/// The events of an observer, in few words each.
final class Ear<Value: Sendable>: Sendable {
    private let recorder: Recorder<Value, ClientError>

    init(_ source: some SignalSource<Value, ClientError>) {
        self.recorder = Recorder(source)
    }

    var heard: [String] {
        self.recorder.events.map { event in
            switch event {
            case .value(let value): "\(value)"
            case .completed: "done"
            case .failed(let error): "fail(\(error.code.rawValue): \(error.message))"
            }
        }
    }

    func dispose() {
        self.recorder.dispose()
    }
}

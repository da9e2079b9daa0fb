import Foundation
import Logging
import RacServer

/// A whole daemon in this process, on free ports.
struct RunningDaemon: Sendable {
    let addresses: [ListenAddress]
    /// Changes the daemon while it runs.
    let changes = ServerChanges()
    private let server: Server
    private let running: Task<Void, any Error>

    /// Starts it; throws why it could not start.
    init(
        storage: ServerConfiguration.Storage = .memory,
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = ServerConfiguration(name: "racd/test", storage: storage)
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.threads = Threads.count
        // On a busy machine a client may seem silent for long; tests that are about silence say how long.
        configuration.heartbeat = 600_000
        configuration.helloTimeout = 600_000
        change(&configuration)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (ready, continuation) = AsyncStream<[ListenAddress]>.makeStream()
        let server = Server(configuration: configuration, changes: self.changes, logger: logger) {
            continuation.yield($0.flatMap(\.places))
        }
        self.server = server
        self.running = Task {
            defer { continuation.finish() }
            try await server.run()
        }
        guard let addresses = await ready.first(where: { _ in true }) else {
            try await self.running.value
            throw Surprise(what: "the daemon ended without a word")
        }
        self.addresses = addresses
    }

    /// Ends it as a signal would, and waits for that.
    func stop() async throws {
        self.server.shutDown()
        try await self.running.value
    }

    /// Runs a test against a daemon that ends with it.
    static func serving(
        storage: ServerConfiguration.Storage = .memory,
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (RunningDaemon) async throws -> Void
    ) async throws {
        let daemon = try await RunningDaemon(storage: storage, change)
        do {
            try await test(daemon)
        } catch {
            try? await daemon.stop()
            throw error
        }
        try await daemon.stop()
    }

    /// A raw client of its first address, or another one.
    func client(at index: Int = 0, receiveBuffer: Int? = nil) throws -> SocketClient {
        try SocketClient(self.addresses[index], receiveBuffer: receiveBuffer)
    }

    /// A client that has been welcomed.
    func welcomed(
        at index: Int = 0,
        _ hello: String = Wire.hello,
        receiveBuffer: Int? = nil
    ) async throws -> SocketClient {
        let client = try self.client(at: index, receiveBuffer: receiveBuffer)
        let welcome = try await client.ask(hello)
        guard welcome.isWelcome else { throw Surprise(what: welcome.text) }
        return client
    }
}

/// A new folder that goes with the test.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        self.path = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}

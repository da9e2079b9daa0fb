import Foundation
import Logging
import Rac
import RacAccess
import RacClient
import RacServer
import RacTesting

/// Which way clients reach a daemon.
enum Transport: CaseIterable, Sendable {
    case tcp
    case unix
}

/// A whole daemon in this process, that can end and start again where it was.
actor LocalDaemon {
    nonisolated let address: DaemonAddress
    private let listening: ListenAddress
    private let folder: URL
    /// Whether its channels are on the disk, and so outlive its end.
    private let keepsChannels: Bool
    /// The rules of the next start; nil for an open daemon.
    private var access: AccessPolicy?
    private var running: (server: Server, task: Task<Void, any Error>)?
    private var changes = ServerChanges()

    /// Starts one in a folder of its own.
    init(_ transport: Transport, access: AccessPolicy? = nil, keepsChannels: Bool = true) async throws {
        self.access = access
        self.keepsChannels = keepsChannels
        self.folder = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
        let wanted: ListenAddress =
            switch transport {
            case .tcp: .tcp(host: "127.0.0.1", port: 0)
            case .unix: .unix(path: self.folder.appending(path: "s").path)
            }
        let (running, address) = try await Self.serve(wanted, self.folder, access, self.changes, keepsChannels)
        self.running = running
        self.listening = address
        self.address =
            switch address {
            case .tcp(let host, let port), .either(let host, let port): .tcp(host: host, port: port)
            case .tls(let host, let port): .tls(host: host, port: port)
            case .unix(let path): .unix(path: path)
            }
    }

    private static func serve(
        _ address: ListenAddress,
        _ folder: URL,
        _ access: AccessPolicy?,
        _ changes: ServerChanges = ServerChanges(),
        _ keepsChannels: Bool = true
    ) async throws -> ((Server, Task<Void, any Error>), ListenAddress) {
        let storage = ServerConfiguration.Storage.folder(folder.appending(path: "data").path, .off)
        var configuration = ServerConfiguration(name: "racd/test", storage: keepsChannels ? storage : .memory)
        configuration.addresses = [address]
        configuration.access = access
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (ready, continuation) = AsyncStream<[ListenAddress]>.makeStream()
        let server = Server(configuration: configuration, changes: changes, logger: logger) {
            continuation.yield($0.flatMap(\.places))
        }
        let task = Task {
            defer { continuation.finish() }
            try await server.run()
        }
        guard let addresses = await ready.first(where: { _ in true }), let first = addresses.first else {
            try await task.value
            throw Surprise(expected: "a daemon that gets ready")
        }
        return ((server, task), first)
    }

    /// Ends it as a signal would, and waits for that.
    func stop() async throws {
        guard let running = self.running else { return }
        self.running = nil
        running.server.shutDown()
        try await running.task.value
    }

    /// Starts it again, where it was and with what it had.
    func start() async throws {
        self.changes = ServerChanges()
        (self.running, _) = try await Self.serve(
            self.listening,
            self.folder,
            self.access,
            self.changes,
            self.keepsChannels
        )
    }

    /// Gives it other rules while it runs.
    func take(_ access: AccessPolicy) {
        self.access = access
        self.changes.apply(.init(access: access, maximumConnections: 10_000))
    }

    /// Ends it, and starts it again with other rules.
    func restart(access: AccessPolicy?) async throws {
        try await self.stop()
        self.access = access
        try await self.start()
    }

    /// Has another client change what the daemon has while nobody reaches it where it was.
    func meanwhile(_ body: (Client) async throws -> Void) async throws {
        let (running, address) = try await Self.serve(
            .tcp(host: "127.0.0.1", port: 0),
            self.folder,
            self.access
        )
        guard case .tcp(let host, let port) = address else { return }
        let client = Client(.tcp(host: host, port: port), configuration: .quick)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        running.0.shutDown()
        try await running.1.value
    }

    private func clear() async throws {
        try await self.stop()
        try? FileManager.default.removeItem(at: self.folder)
    }

    /// Runs a test against a daemon that ends with it.
    static func with(
        _ transport: Transport,
        access: AccessPolicy? = nil,
        keepsChannels: Bool = true,
        _ test: (LocalDaemon) async throws -> Void
    ) async throws {
        let daemon = try await LocalDaemon(transport, access: access, keepsChannels: keepsChannels)
        do {
            try await test(daemon)
        } catch {
            try? await daemon.clear()
            throw error
        }
        try await daemon.clear()
    }

    /// Does something with a client that is closed behind it.
    @discardableResult
    nonisolated func withClient<Result>(_ body: (Client) async throws -> Result) async throws -> Result {
        let client = Client(self.address, configuration: .quick)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}

extension ClientConfiguration {
    /// For tests: patient with answers, quick to try again.
    static var quick: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.replyTimeout = .seconds(60)
        configuration.connectTimeout = .seconds(60)
        configuration.longestPause = .milliseconds(50)
        return configuration
    }
}

extension Client {
    /// Waits for a state of the connection.
    func until(_ isWanted: @Sendable (ConnectionState) -> Bool) async throws {
        for await state in self.connection.signal.values where isWanted(state) { return }
        throw Surprise(expected: "another state of the connection before it ends")
    }
}

import Foundation
import Logging
import RacClient
import RacServer
import RacTesting

/// A whole daemon in this process with one address that has TLS, and its log.
struct TLSDaemon: Sendable {
    let port: Int
    /// A line for each entry: level, message, code and certificate.
    let log: Log<String>
    private let changes: ServerChanges
    private let listening: ListenAddress
    private let server: Server
    private let running: Task<Void, any Error>

    /// Its address, by the name in the certificates of tests.
    var address: DaemonAddress { .tls(host: "localhost", port: self.port) }

    private init(
        _ listener: TLSListener,
        at address: ListenAddress,
        _ change: (inout ServerConfiguration) -> Void
    ) async throws {
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        configuration.addresses = [address]
        configuration.tls[address] = listener
        configuration.heartbeat = 600_000
        configuration.helloTimeout = 600_000
        change(&configuration)
        let log = Log<String>()
        let logger = Logger(label: "test", factory: { _ in KeptLog(log, of: ["code", "certificate"]) })
        let (ready, continuation) = AsyncStream<[ListenAddress]>.makeStream()
        let changes = ServerChanges()
        let server = Server(configuration: configuration, changes: changes, logger: logger) {
            continuation.yield($0.flatMap(\.places))
        }
        self.log = log
        self.changes = changes
        self.listening = address
        self.server = server
        self.running = Task {
            defer { continuation.finish() }
            try await server.run()
        }
        guard let place = await ready.first(where: { _ in true })?.first?.place else {
            try await self.running.value
            throw Surprise(expected: "a daemon that gets ready")
        }
        self.port = place.port
    }

    /// Runs a test against a daemon that ends with it.
    static func serving(
        _ listener: TLSListener,
        at address: ListenAddress = .tls(host: "127.0.0.1", port: 0),
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (TLSDaemon) async throws -> Void
    ) async throws {
        let daemon = try await TLSDaemon(listener, at: address, change)
        do {
            try await test(daemon)
        } catch {
            try? await daemon.stop()
            throw error
        }
        try await daemon.stop()
    }

    private func stop() async throws {
        self.server.shutDown()
        try await self.running.value
    }

    /// Asks the daemon to read its certificates, as SIGHUP does.
    func reload() {
        self.changes.renewCertificates()
    }

    /// Gives the daemon other files, as a reading of the configuration does.
    func take(_ listener: TLSListener) {
        self.changes.apply(.init(access: nil, maximumConnections: 10_000, tls: [self.listening: listener]))
    }

    /// Waits until the log has this many entries that begin so.
    func logged(_ beginning: String, times: Int = 1) async throws {
        while self.log.entries.count(where: { $0.hasPrefix(beginning) }) < times {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Does something with a client that is closed behind it.
    func withClient(
        _ tls: ClientTLS,
        at address: DaemonAddress? = nil,
        _ body: (Client) async throws -> Void
    ) async throws {
        var configuration = ClientConfiguration.quick
        configuration.tls = tls
        let client = Client(address ?? self.address, configuration: configuration)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    /// Connects once.
    func open(_ tls: ClientTLS, to address: DaemonAddress? = nil) async throws(ClientError) -> DaemonConnection {
        var configuration = ConnectionConfiguration()
        configuration.tls = tls
        configuration.connectTimeout = .seconds(60)
        configuration.replyTimeout = .seconds(60)
        return try await DaemonConnection.open(to: address ?? self.address, configuration: configuration)
    }
}

extension TLSListener {
    init(_ files: TestAuthority.Files, clients: Clients = .none) {
        self.init(certificateFile: files.certificate, keyFile: files.key, clients: clients)
    }
}

extension ClientTLS {
    /// Trust in an authority, and a certificate to show.
    init(_ authority: TestAuthority, _ files: TestAuthority.Files? = nil) {
        let identity = files.map { Identity(certificateFile: $0.certificate, keyFile: $0.key) }
        self.init(trust: .file(authority.file), identity: identity)
    }
}

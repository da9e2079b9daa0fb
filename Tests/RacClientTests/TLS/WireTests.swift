import Expectations
import Rac
import RacAccess
import RacClient
import RacServer
import RacTesting
import Testing

/// A reader of every byte between clients and a daemon with TLS.
@Suite(.timeLimit(.minutes(10))) struct WireTests {
    private static let secrets = [
        "secret-name", "secret-value", "secret-session", "secret-client", "secret-token", "secret-guess", "racd/test",
        "welcome",
    ]

    private func expectNothing(_ relay: Relay, _ location: SourceLocation = #_sourceLocation) {
        for secret in Self.secrets { #expect(!relay.saw(secret), "\(secret)", sourceLocation: location) }
        #expect(!relay.saw("\"op\""), sourceLocation: location)
    }

    @Test("No name, value, token or message is read at the start, under load, with a full socket and at the end")
    func nothing() async throws {
        let authority = try TestAuthority()
        let rules = try AccessPolicy.kiosk(["secret-token"])
        try await TLSDaemon.serving(TLSListener(authority.sign("racd")), { $0.access = rules }) { daemon in
            try await Relay.with(to: daemon.port) { relay in
                var configuration = ClientConfiguration.quick
                configuration.tls = ClientTLS(authority)
                configuration.name = "secret-client"
                configuration.token = .token(try AccessToken("secret-token"))
                let clients = (0..<4).map { _ in Client(relay.address, configuration: configuration) }
                for client in clients { try await client.ping() }
                self.expectNothing(relay)
                let value = String(repeating: "secret-value ", count: 100_000)
                try await clients[0].set("room/secret-name", value)
                try await withThrowingTaskGroup { group in
                    for (number, client) in clients.enumerated() {
                        group.addTask {
                            for round in 0..<50 {
                                try await client.set("room/secret-name/\(number)", "secret-value \(round)")
                            }
                            expect(try await client.get("room/secret-name", as: String.self) == value)
                        }
                    }
                    try await group.waitForAll()
                }
                self.expectNothing(relay)
                for client in clients { await client.close() }
                self.expectNothing(relay)
                #expect(relay.count > 5 * value.utf8.count)
            }
        }
    }

    @Test("Nothing is read when handshakes or tokens fail, with too many connections, and when the daemon ends")
    func failures() async throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        let listener = TLSListener(try authority.sign("racd"), clients: .required(authorityFile: authority.file))
        let rules = try AccessPolicy.kiosk(["secret-token"])
        let change: (inout ServerConfiguration) -> Void = {
            $0.maximumConnections = 1
            $0.access = rules
        }
        try await TLSDaemon.serving(listener, change) { daemon in
            try await Relay.with(to: daemon.port) { relay in
                var configuration = ConnectionConfiguration()
                configuration.session = "secret-session"
                configuration.name = "secret-client"
                configuration.token = try AccessToken("secret-token")
                let kiosk = try authority.sign("kiosk", extensions: "extendedKeyUsage=clientAuth")
                for tls in [ClientTLS(other), ClientTLS(authority), ClientTLS(authority, try other.sign("other"))] {
                    configuration.tls = tls
                    _ = await #expect(throws: ClientError.self) {
                        try await DaemonConnection.open(to: relay.address, configuration: configuration)
                    }
                }
                configuration.tls = ClientTLS(authority, kiosk)
                // The daemon may still count a connection that failed.
                var first: DaemonConnection?
                while first == nil {
                    first = try? await DaemonConnection.open(to: relay.address, configuration: configuration)
                }
                _ = await #expect(throws: ClientError.self) {
                    try await DaemonConnection.open(to: relay.address, configuration: configuration)
                }
                self.expectNothing(relay)
                await first?.close()
                self.expectNothing(relay)
                configuration.token = try AccessToken("secret-guess")
                var error: ClientError?
                while error?.code != .unauthenticated {
                    error = await #expect(throws: ClientError.self) {
                        try await DaemonConnection.open(to: relay.address, configuration: configuration)
                    }
                }
                self.expectNothing(relay)
                #expect(relay.count > 1_000)
            }
        }
    }

    @Test("The test sees what passes without TLS")
    func plain() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd")), at: .tcp(host: "127.0.0.1", port: 0)) {
            daemon in
            try await Relay.with(to: daemon.port) { relay in
                let client = Client(.tcp(host: "127.0.0.1", port: relay.port), configuration: .quick)
                try await client.set("secret-name", "secret-value")
                #expect(relay.saw("secret-name") && relay.saw("secret-value") && relay.saw("welcome"))
                await client.close()
            }
        }
    }
}
